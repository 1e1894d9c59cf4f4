# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Fuzzers: built and run by ctest where the address sanitizer is on.

# invar_add_fuzzer(NAME SOURCES files… LINK targets… COVER targets… SEEDS command… RUNS count
#                  LENGTH bytes)
#   COVER  libraries whose branches guide the fuzzer; all do where INVAR_SANITIZE has
#          fuzzer-no-link
#   SEEDS  a program that writes a corpus to begin with into the folder it is given; may
#          be left out where any bytes are good ones
#   RUNS   how many inputs ctest tries: a count and a fixed seed, so that a run repeats
#   LENGTH how long inputs may become; 4096 bytes where it is left out
function(invar_add_fuzzer name)
  cmake_parse_arguments(ARG "" "RUNS;LENGTH" "SOURCES;LINK;COVER;SEEDS" ${ARGN})
  add_executable(${name} ${ARG_SOURCES})
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
    -verbosity=0 "-artifact_prefix=${CMAKE_CURRENT_BINARY_DIR}/${name}." ${corpus})
  set_tests_properties(${name} PROPERTIES FIXTURES_REQUIRED ${name} ENVIRONMENT
    "ASAN_OPTIONS=allow_user_poisoning=0:detect_leaks=1")
endfunction()
