# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Language, flags and the packages that all targets need.

set(CMAKE_CXX_STANDARD 20)
set(CMAKE_CXX_STANDARD_REQUIRED ON)
set(CMAKE_CXX_EXTENSIONS OFF)
set(CMAKE_C_STANDARD 11)
set(CMAKE_EXPORT_COMPILE_COMMANDS ON)
set(CMAKE_POSITION_INDEPENDENT_CODE ON)
set(CMAKE_RUNTIME_OUTPUT_DIRECTORY "${CMAKE_BINARY_DIR}/bin")

# LLVM's conventions: no exceptions, no RTTI. Integers wrap around, as in ONNX, and floats round
# after each operation.
add_compile_options(-Wall -Wextra -Wno-unused-parameter -fwrapv -ffp-contract=off -fno-exceptions
                    $<$<COMPILE_LANGUAGE:CXX>:-fno-rtti>
                    -ffunction-sections -fdata-sections -fcolor-diagnostics)
add_link_options(-fuse-ld=lld -Wl,--gc-sections)

if(INVAR_SANITIZE)
  add_compile_options(-fsanitize=${INVAR_SANITIZE} -fno-omit-frame-pointer
                      -fno-sanitize-recover=all)
  add_link_options(-fsanitize=${INVAR_SANITIZE})
endif()

# "dev" keeps all asserts, including those in MLIR's headers.
set(CMAKE_CXX_FLAGS_DEV "-O1 -g1")
set(CMAKE_C_FLAGS_DEV "-O1 -g1")

find_program(CCACHE ccache)
if(CCACHE)
  # Without -fno-pch-timestamp, precompiled headers contain time stamps and ccache never hits. The
  # base folder, and checksums of precompiled headers (invar_precompile), let several checkouts
  # share cached objects.
  set(CMAKE_CXX_COMPILER_LAUNCHER
      ${CMAKE_COMMAND} -E env CCACHE_SLOPPINESS=pch_defines,time_macros CCACHE_PCH_EXTSUM=1
      CCACHE_BASEDIR=${CMAKE_SOURCE_DIR} CCACHE_NOHASHDIR=1 ${CCACHE})
  set(CMAKE_C_COMPILER_LAUNCHER ${CCACHE})
  add_compile_options("SHELL:-Xclang -fno-pch-timestamp")
endif()

if(INVAR_MLIR)
  find_package(MLIR REQUIRED CONFIG)
  find_package(LLD REQUIRED CONFIG)
  list(APPEND CMAKE_MODULE_PATH "${MLIR_CMAKE_DIR}" "${LLVM_CMAKE_DIR}")
  include(TableGen)
  include(AddLLVM)
  include(AddMLIR)
  include_directories(SYSTEM ${MLIR_INCLUDE_DIRS})
else()
  find_package(LLVM 22.1 REQUIRED CONFIG)
endif()
include_directories(SYSTEM ${LLVM_INCLUDE_DIRS})
add_definitions(${LLVM_DEFINITIONS})
find_package(GTest REQUIRED)
find_package(Threads REQUIRED)
# Newer packages of RE2 define how to link them. Of older ones, only the shared library can be
# linked into a shared library.
find_package(re2 CONFIG QUIET)
if(NOT TARGET re2::re2)
  find_path(RE2_INCLUDE_DIR re2/re2.h REQUIRED)
  find_library(RE2_SHARED_LIBRARY NAMES re2 REQUIRED)
  add_library(re2::re2 UNKNOWN IMPORTED)
  set_target_properties(re2::re2 PROPERTIES IMPORTED_LOCATION "${RE2_SHARED_LIBRARY}"
                        INTERFACE_INCLUDE_DIRECTORIES "${RE2_INCLUDE_DIR}")
endif()
# Static, so that users of the runtime need nothing else to decode constants.
find_path(ZSTD_INCLUDE_DIR zstd.h REQUIRED)
find_library(ZSTD_STATIC_LIBRARY NAMES libzstd.a zstd REQUIRED)
add_library(zstd::zstd UNKNOWN IMPORTED)
set_target_properties(zstd::zstd PROPERTIES IMPORTED_LOCATION "${ZSTD_STATIC_LIBRARY}"
                      INTERFACE_INCLUDE_DIRECTORIES "${ZSTD_INCLUDE_DIR}")

# Static, so that the command line tool needs nothing else.
find_path(SECCOMP_INCLUDE_DIR seccomp.h REQUIRED)
find_library(SECCOMP_STATIC_LIBRARY NAMES libseccomp.a seccomp REQUIRED)
add_library(seccomp::seccomp UNKNOWN IMPORTED)
set_target_properties(seccomp::seccomp PROPERTIES IMPORTED_LOCATION "${SECCOMP_STATIC_LIBRARY}"
                      INTERFACE_INCLUDE_DIRECTORIES "${SECCOMP_INCLUDE_DIR}")

# Headers only.
find_path(XXHASH_INCLUDE_DIR xxhash.h REQUIRED)
add_library(xxhash::xxhash INTERFACE IMPORTED)
set_target_properties(xxhash::xxhash PROPERTIES INTERFACE_INCLUDE_DIRECTORIES "${XXHASH_INCLUDE_DIR}")

include_directories("${CMAKE_SOURCE_DIR}/include" "${CMAKE_BINARY_DIR}/include")
