# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Fuzzers: ctest runs them if the address sanitizer is enabled.

# invar_add_fuzzer(NAME SOURCES files… LINK targets… COVER targets… SEEDS command… RUNS count
#                  LENGTH bytes)
#   COVER  libraries whose branches guide the fuzzer; all libraries do if INVAR_SANITIZE contains
#          fuzzer-no-link
#   SEEDS  a program that writes the initial corpus into the folder that it is given; optional
#          if any bytes are good inputs
#   RUNS   how many inputs ctest tries: the count and the seed are fixed, so that a run repeats
#   LENGTH maximum length of inputs; the default is 4096 bytes
function(invar_add_fuzzer name)
  cmake_parse_arguments(ARG "" "RUNS;LENGTH" "SOURCES;LINK;COVER;SEEDS" ${ARGN})
  add_executable(${name} ${ARG_SOURCES} "${PROJECT_SOURCE_DIR}/fuzz/SanitizerOptions.cpp")
  target_link_libraries(${name} PRIVATE ${ARG_LINK})
  set_target_properties(${name} PROPERTIES
    RUNTIME_OUTPUT_DIRECTORY "${CMAKE_BINARY_DIR}/fuzz")
  target_compile_options(${name} PRIVATE -fsanitize=fuzzer)
  target_link_options(${name} PRIVATE -fsanitize=fuzzer)
  foreach(library ${ARG_COVER})
    get_target_property(options ${library} COMPILE_OPTIONS)
    if(NOT "-fsanitize=fuzzer-no-link" IN_LIST options)
      target_compile_options(${library} PRIVATE -fsanitize=fuzzer-no-link)
    endif()
  endforeach()

  if(NOT ARG_LENGTH)
    set(ARG_LENGTH 4096)
  endif()
  set(corpus "")
  if(ARG_SEEDS)
    set(corpus "${CMAKE_CURRENT_BINARY_DIR}/${name}.corpus")
    add_test(NAME ${name}.seeds COMMAND ${ARG_SEEDS} "${corpus}")
    set_tests_properties(${name}.seeds PROPERTIES FIXTURES_SETUP ${name})
  endif()
  add_test(NAME ${name} COMMAND ${name} -runs=${ARG_RUNS} -seed=1 -max_len=${ARG_LENGTH}
    -rss_limit_mb=4096 -verbosity=0 "-artifact_prefix=${CMAKE_CURRENT_BINARY_DIR}/${name}." ${corpus})
  set_tests_properties(${name} PROPERTIES FIXTURES_REQUIRED ${name})
endfunction()
