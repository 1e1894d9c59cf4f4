# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Functions that declare Invar's targets. utils/check-layers reads these calls, so a library's LINK
# list is the only place that states its dependencies.

# invar_add_library(NAME [MLIR] SOURCES files… [LINK targets…] [DEPENDS targets…])
#   MLIR     uses the shared precompiled MLIR headers; not built without INVAR_MLIR
#   DEPENDS  TableGen targets that must run first
function(invar_add_library name)
  cmake_parse_arguments(ARG "MLIR" "" "SOURCES;LINK;DEPENDS" ${ARGN})
  if(ARG_MLIR AND NOT INVAR_MLIR)
    return()
  endif()
  add_library(${name} STATIC ${ARG_SOURCES})
  target_link_libraries(${name} PUBLIC ${ARG_LINK})
  if(ARG_DEPENDS)
    add_dependencies(${name} ${ARG_DEPENDS})
  endif()
  if(ARG_MLIR)
    invar_use_mlir_headers(${name})
  endif()
endfunction()

# invar_add_tool(NAME [MLIR] SOURCES files… LINK targets…): a program in build/…/bin.
function(invar_add_tool name)
  cmake_parse_arguments(ARG "MLIR" "" "SOURCES;LINK" ${ARGN})
  add_executable(${name} ${ARG_SOURCES})
  target_link_libraries(${name} PRIVATE ${ARG_LINK})
  if(ARG_MLIR)
    invar_use_mlir_headers(${name})
  endif()
endfunction()

# invar_add_unittest(NAME [MLIR] SOURCES files… LINK targets…): a gtest program that ctest runs.
function(invar_add_unittest name)
  cmake_parse_arguments(ARG "MLIR" "" "SOURCES;LINK" ${ARGN})
  if(ARG_MLIR AND NOT INVAR_MLIR)
    return()
  endif()
  add_executable(${name} ${ARG_SOURCES})
  target_link_libraries(${name} PRIVATE ${ARG_LINK} GTest::gtest_main)
  set_target_properties(${name} PROPERTIES
    RUNTIME_OUTPUT_DIRECTORY "${CMAKE_BINARY_DIR}/unittests")
  if(ARG_MLIR)
    invar_use_mlir_headers(${name})
  endif()
  add_test(NAME ${name} COMMAND ${name})
  set_tests_properties(${name} PROPERTIES ENVIRONMENT
    "ASAN_OPTIONS=allow_user_poisoning=0:detect_leaks=1")
endfunction()

# One precompiled header for all targets that include MLIR. It halves the compile time of a family's
# file.
function(invar_use_mlir_headers name)
  if(NOT TARGET InvarMLIRHeaders)
    file(WRITE "${CMAKE_BINARY_DIR}/MLIRHeaders.cpp" "// Holds the precompiled MLIR headers.\n")
    add_library(InvarMLIRHeaders OBJECT "${CMAKE_BINARY_DIR}/MLIRHeaders.cpp")
    target_precompile_headers(InvarMLIRHeaders PRIVATE
      <mlir/IR/BuiltinOps.h> <mlir/IR/DialectImplementation.h> <mlir/IR/OpImplementation.h>
      <mlir/IR/PatternMatch.h> <mlir/Interfaces/SideEffectInterfaces.h>
      <mlir/Interfaces/InferTypeOpInterface.h> <mlir/Bytecode/BytecodeOpInterface.h>)
  endif()
  # By default programs are compiled with -fPIE, which is incompatible with the header's -fPIC.
  get_target_property(type ${name} TYPE)
  if(type STREQUAL EXECUTABLE)
    set_target_properties(${name} PROPERTIES POSITION_INDEPENDENT_CODE OFF)
    target_compile_options(${name} PRIVATE -fPIC)
  endif()
  target_precompile_headers(${name} REUSE_FROM InvarMLIRHeaders)
  get_target_property(type ${name} TYPE)
  if(type STREQUAL "EXECUTABLE")
    # CMake compiles programs with -fPIE, which is incompatible with headers compiled with -fPIC.
    set_target_properties(${name} PROPERTIES POSITION_INDEPENDENT_CODE OFF)
    target_compile_options(${name} PRIVATE -fPIC)
  endif()
endfunction()
