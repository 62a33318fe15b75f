# mikgen_test(NAME COMMAND...): add_test, with what most tests here say of themselves.
#
#   mikgen_test(oracle.syrk.gcc ONE_OF 2 TIMEOUT 300 ENVIRONMENT A=1 COMMAND tests/oracle/oracle.sh ...)
#
#   COMMAND      a path without a leading slash is below this folder
#   LABEL        default: the name up to its first dot
#   TIMEOUT      seconds; default 300
#   COST         of long tests: CTest starts with those, so that none is alone at the end
#   ENVIRONMENT  NAME=VALUE...
#   SETS_UP F, NEEDS F    CTest's fixtures
#   ONE_OF N     drawn: of the tests with this label and this N, taken in their order, one of N runs
#
# Shell tests exit with 77 to say "skipped", after a line that tells why.
#
# With MIKGEN_ALL_TESTS everything runs. Without it, which tests are drawn depends on the commit's name, so that
# every commit tries other ones and N commits in a row, with luck, all; what is left out stands in left_out.txt.
option(MIKGEN_ALL_TESTS "Run the tests that repeat others, too, not only a part of them" OFF)
execute_process(COMMAND git rev-parse HEAD WORKING_DIRECTORY ${PROJECT_SOURCE_DIR}
  OUTPUT_VARIABLE commit OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET)
set(MIKGEN_LEFT_OUT ${CMAKE_CURRENT_BINARY_DIR}/left_out.txt)
set(MIKGEN_TESTS ${CMAKE_CURRENT_SOURCE_DIR})
file(WRITE ${MIKGEN_LEFT_OUT} "")

# mikgen_draw_number(VARIABLE KEY BELOW): a number from 0 to BELOW - 1, from the commit's name and KEY.
function(mikgen_draw_number variable key below)
  string(SHA256 hash "${commit} ${key}")
  string(SUBSTRING ${hash} 0 7 hash)
  math(EXPR number "0x${hash} % ${below}")
  set(${variable} ${number} PARENT_SCOPE)
endfunction()

# Whether the next test of a label is among the one of OF that run.
function(mikgen_draw variable test label of)
  get_property(count GLOBAL PROPERTY mikgen_drawn_${label}_${of})
  mikgen_draw_number(first ${label} ${of})
  math(EXPR next "${count} + 1")
  math(EXPR left "(${first} + ${next}) % ${of}")
  set_property(GLOBAL PROPERTY mikgen_drawn_${label}_${of} ${next})
  if(MIKGEN_ALL_TESTS OR left EQUAL 0)
    set(${variable} TRUE PARENT_SCOPE)
  else()
    set(${variable} FALSE PARENT_SCOPE)
    file(APPEND ${MIKGEN_LEFT_OUT} "${test}\n")
  endif()
endfunction()

function(mikgen_test name)
  cmake_parse_arguments(test "" "LABEL;TIMEOUT;COST;SETS_UP;NEEDS;ONE_OF" "ENVIRONMENT;COMMAND" ${ARGN})
  if(test_UNPARSED_ARGUMENTS OR NOT test_COMMAND)
    message(FATAL_ERROR "mikgen_test(${name}): ${test_UNPARSED_ARGUMENTS}")
  endif()
  if(NOT test_LABEL)
    string(REGEX REPLACE "[.].*" "" test_LABEL ${name})
  endif()
  if(test_ONE_OF)
    mikgen_draw(drawn ${name} ${test_LABEL} ${test_ONE_OF})
    if(NOT drawn)
      return()
    endif()
  endif()
  list(POP_FRONT test_COMMAND program)
  if(EXISTS ${MIKGEN_TESTS}/${program})
    set(program ${MIKGEN_TESTS}/${program})
  endif()
  add_test(NAME ${name} COMMAND ${program} ${test_COMMAND})
  set_tests_properties(${name} PROPERTIES LABELS ${test_LABEL} TIMEOUT 300 SKIP_RETURN_CODE 77)
  foreach(property TIMEOUT COST ENVIRONMENT)
    if(test_${property})
      set_tests_properties(${name} PROPERTIES ${property} "${test_${property}}")
    endif()
  endforeach()
  if(test_SETS_UP)
    set_tests_properties(${name} PROPERTIES FIXTURES_SETUP ${test_SETS_UP})
  endif()
  if(test_NEEDS)
    set_tests_properties(${name} PROPERTIES FIXTURES_REQUIRED ${test_NEEDS})
  endif()
endfunction()
