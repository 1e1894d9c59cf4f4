# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Functions that declare Invar's targets. utils/check-layers reads these calls, so a library's LINK
# list is the only place that states its dependencies.

# invar_add_library(NAME [MLIR | LINALG] SOURCES files… [LINK targets…] [DEPENDS targets…])
#   MLIR     uses the precompiled headers of MLIR's IR; not built without INVAR_MLIR
#   LINALG   the same, with the headers of linalg and the dialects around it
#   DEPENDS  TableGen targets that must run first
function(invar_add_library name)
  cmake_parse_arguments(ARG "MLIR;LINALG" "" "SOURCES;LINK;DEPENDS" ${ARGN})
  if((ARG_MLIR OR ARG_LINALG) AND NOT INVAR_MLIR)
    return()
  endif()
  add_library(${name} STATIC ${ARG_SOURCES})
  target_link_libraries(${name} PUBLIC ${ARG_LINK})
  if(ARG_DEPENDS)
    add_dependencies(${name} ${ARG_DEPENDS})
  endif()
  if(ARG_LINALG)
    invar_use_precompiled(${name} InvarLinalgHeaders)
  elseif(ARG_MLIR)
    invar_use_precompiled(${name} InvarMLIRHeaders)
  endif()
endfunction()

# invar_add_tool(NAME [MLIR | LINALG] SOURCES files… LINK targets…): a program in build/…/bin.
function(invar_add_tool name)
  cmake_parse_arguments(ARG "MLIR;LINALG" "" "SOURCES;LINK" ${ARGN})
  add_executable(${name} ${ARG_SOURCES})
  target_link_libraries(${name} PRIVATE ${ARG_LINK})
  if(ARG_LINALG)
    invar_use_precompiled(${name} InvarLinalgHeaders)
  elseif(ARG_MLIR)
    invar_use_precompiled(${name} InvarMLIRHeaders)
  endif()
endfunction()

# invar_add_unittest(NAME [MLIR | LINALG] SOURCES files… LINK targets…): a gtest program that ctest runs.
function(invar_add_unittest name)
  cmake_parse_arguments(ARG "MLIR;LINALG" "" "SOURCES;LINK" ${ARGN})
  if((ARG_MLIR OR ARG_LINALG) AND NOT INVAR_MLIR)
    return()
  endif()
  add_executable(${name} ${ARG_SOURCES})
  target_link_libraries(${name} PRIVATE ${ARG_LINK} GTest::gtest_main)
  set_target_properties(${name} PROPERTIES
    RUNTIME_OUTPUT_DIRECTORY "${CMAKE_BINARY_DIR}/unittests")
  if(ARG_LINALG)
    invar_use_precompiled(${name} InvarLinalgHeaders)
  elseif(ARG_MLIR)
    invar_use_precompiled(${name} InvarMLIRHeaders)
  endif()
  add_test(NAME ${name} COMMAND ${name})
  set_tests_properties(${name} PROPERTIES ENVIRONMENT
    "ASAN_OPTIONS=allow_user_poisoning=0:detect_leaks=1")
endfunction()

# Precompiled headers, for targets that include MLIR. Most of the compile time of a file is MLIR's
# headers and their templates, which these contain instantiated.
#   InvarMLIRHeaders    for dialects, import, export and rewrites
#   InvarLinalgHeaders  these, and the dialects of the lowering
set(INVAR_MLIR_HEADERS mlir/IR/BuiltinOps.h mlir/IR/DialectImplementation.h
  mlir/IR/OpImplementation.h mlir/IR/PatternMatch.h mlir/Interfaces/SideEffectInterfaces.h
  mlir/Interfaces/InferTypeOpInterface.h mlir/Bytecode/BytecodeOpInterface.h)
set(INVAR_LINALG_HEADERS ${INVAR_MLIR_HEADERS} mlir/Dialect/Arith/IR/Arith.h
  mlir/Dialect/Func/IR/FuncOps.h mlir/Dialect/Linalg/IR/Linalg.h mlir/Dialect/Math/IR/Math.h
  mlir/Dialect/SCF/IR/SCF.h mlir/Dialect/Tensor/IR/Tensor.h mlir/Pass/Pass.h)

# invar_precompile(NAME headers…): a header that invar_use_precompiled adds to targets. Call it in
# the main CMakeLists.txt only: users name the file relative to the build folder.
#
# This does not use CMake's target_precompile_headers, because that passes absolute paths, and
# then no other checkout finds the objects in the compiler cache.
function(invar_precompile name)
  set(text "")
  foreach(header ${ARGN})
    string(APPEND text "#include <${header}>\n")
  endforeach()
  file(CONFIGURE OUTPUT "${CMAKE_BINARY_DIR}/${name}.cpp" CONTENT "${text}" @ONLY)
  add_library(${name} OBJECT "${CMAKE_BINARY_DIR}/${name}.cpp")
  target_compile_options(${name} PRIVATE -xc++-header -fpch-instantiate-templates)
  set_target_properties(${name} PROPERTIES CXX_COMPILER_LAUNCHER "" EXPORT_COMPILE_COMMANDS OFF)
  # ccache takes this for the content of the precompiled header, which has absolute paths in it.
  string(TOUPPER "${CMAKE_BUILD_TYPE}" type)
  file(CONFIGURE OUTPUT "${CMAKE_BINARY_DIR}/CMakeFiles/${name}.dir/${name}.cpp.o.sum" CONTENT
    "${CMAKE_CXX_COMPILER_VERSION} ${LLVM_PACKAGE_VERSION} ${CMAKE_CXX_FLAGS} ${CMAKE_CXX_FLAGS_${type}} ${INVAR_SANITIZE}\n${text}"
    @ONLY)
endfunction()

function(invar_use_precompiled name header)
  set(file "CMakeFiles/${header}.dir/${header}.cpp.o")
  target_compile_options(${name} PRIVATE
    "$<$<COMPILE_LANGUAGE:CXX>:SHELL:-include-pch ${file} -Winvalid-pch>")
  add_dependencies(${name} ${header})
  get_target_property(sources ${name} SOURCES)
  set_property(SOURCE ${sources} TARGET_DIRECTORY ${name} APPEND PROPERTY
    OBJECT_DEPENDS "${CMAKE_BINARY_DIR}/${file}")
  # By default programs are compiled with -fPIE, which is incompatible with the header's -fPIC.
  get_target_property(type ${name} TYPE)
  if(type STREQUAL EXECUTABLE)
    set_target_properties(${name} PROPERTIES POSITION_INDEPENDENT_CODE OFF)
    target_compile_options(${name} PRIVATE -fPIC)
  endif()
endfunction()
