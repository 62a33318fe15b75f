# SPDX-License-Identifier: GPL-3.0-or-later
# mikgen_test(NAME COMMAND...): add_test, with what most tests here say of themselves.
#
#   mikgen_test(oracle.syrk.gcc TIMEOUT 300 ENVIRONMENT A=1 COMMAND tests/oracle/oracle.sh ...)
#
#   COMMAND      a path without a leading slash is below this folder
#   LABEL        default: the name up to its first dot
#   TIMEOUT      seconds; default 1500, and of long tests (below) twenty times what they take
#   ENVIRONMENT  NAME=VALUE...
#   SETS_UP F, NEEDS F    CTest's fixtures
#   TURNS        the command depends on MIKGEN_TURN: the test has the label `turns`, and the fixed set may not hold it
#
# Shell tests exit with 77 to say "skipped", after a line that tells why.
#
# Three lists, which sets.py writes and checks, say what runs when:
#
#   seconds.txt  NAME SECONDS: what tests take of a processor. Long ones start first, so that none is alone at the end.
#   fixed.txt    NAME: the fixed set, the tests of ./bootstrap test. They have the label `fixed`.
#   rota.txt     NAME TURN/OF: of OF consecutive commits this test runs at one, where the number of commits leaves TURN as the remainder.
#                At the others it has the label `waits`, and ./bootstrap test --all leaves it out. Tests without a line run at each commit.
#
# The number of commits is MIKGEN_TURN. It is 0 in a copy without git or without its history.
set(MIKGEN_SECONDS_TO "" CACHE FILEPATH "Each test adds a line to this file: what it took of a processor (timed.sh)")
set(MIKGEN_TURN "" CACHE STRING "The turn of the rota (tests/rota.txt); default: the number of commits")
set(turn "${MIKGEN_TURN}")
if("${turn}" STREQUAL "")
  set(turn 0)
  set(git git -c safe.directory=${PROJECT_SOURCE_DIR}) # which may belong to somebody else
  execute_process(COMMAND ${git} rev-parse --is-shallow-repository WORKING_DIRECTORY ${PROJECT_SOURCE_DIR}
    OUTPUT_VARIABLE is_shallow OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET)
  if("${is_shallow}" STREQUAL "false")
    execute_process(COMMAND ${git} rev-list --count HEAD WORKING_DIRECTORY ${PROJECT_SOURCE_DIR}
      OUTPUT_VARIABLE turn OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET)
  endif()
endif()
if(NOT "${turn}" MATCHES "^[0-9]+$")
  set(turn 0)
endif()
message(STATUS "Turn ${turn} of the tests' rota")

set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS seconds.txt fixed.txt rota.txt)
foreach(list seconds rota)
  file(STRINGS ${list}.txt lines REGEX "^[^#]")
  foreach(line IN LISTS lines)
    string(REPLACE " " ";" line "${line}")
    list(GET line 0 name)
    list(GET line 1 ${list}_${name})
  endforeach()
endforeach()
file(STRINGS fixed.txt fixed_set REGEX "^[^#]")
set(MIKGEN_TESTS ${CMAKE_CURRENT_SOURCE_DIR})

# mikgen_part(VARIABLE OF [EVERY COMMITS]): arguments PART OF, which choose one of OF parts of a test: the next one after EVERY commits (1).
function(mikgen_part variable of)
  cmake_parse_arguments(part "" "EVERY" "" ${ARGN})
  if(NOT part_EVERY)
    set(part_EVERY 1)
  endif()
  math(EXPR part "${turn} / ${part_EVERY} % ${of}")
  set(${variable} ${part} ${of} PARENT_SCOPE)
endfunction()

# The labels of a test besides its kind.
function(mikgen_when variable name)
  set(labels "")
  if(name IN_LIST fixed_set)
    list(APPEND labels fixed)
  endif()
  if(rota_${name})
    string(REPLACE "/" ";" rota "${rota_${name}}")
    list(GET rota 0 remainder)
    list(GET rota 1 of)
    math(EXPR now "${turn} % ${of}")
    if(NOT now EQUAL remainder)
      list(APPEND labels waits)
    endif()
  endif()
  set(${variable} ${labels} PARENT_SCOPE)
endfunction()

function(mikgen_test name)
  cmake_parse_arguments(test "TURNS" "LABEL;TIMEOUT;SETS_UP;NEEDS" "ENVIRONMENT;COMMAND" ${ARGN})
  if(test_UNPARSED_ARGUMENTS OR NOT test_COMMAND)
    message(FATAL_ERROR "mikgen_test(${name}): ${test_UNPARSED_ARGUMENTS}")
  endif()
  if(NOT test_LABEL)
    string(REGEX REPLACE "[.].*" "" test_LABEL ${name})
  endif()
  mikgen_when(when ${name})
  if(test_TURNS AND "fixed" IN_LIST when)
    message(FATAL_ERROR "tests/fixed.txt: ${name} is not the same at each commit")
  endif()
  list(POP_FRONT test_COMMAND program)
  if(EXISTS ${MIKGEN_TESTS}/${program})
    set(program ${MIKGEN_TESTS}/${program})
  endif()
  if(TARGET ${program})
    set(program $<TARGET_FILE:${program}>)
  endif()
  set(timed "")
  if(MIKGEN_SECONDS_TO)
    set(timed ${MIKGEN_TESTS}/timed.sh ${MIKGEN_SECONDS_TO} ${name})
  endif()
  add_test(NAME ${name} COMMAND ${timed} ${program} ${test_COMMAND})
  set(timeout 1500)
  if(seconds_${name})
    set_tests_properties(${name} PROPERTIES COST ${seconds_${name}})
    string(REGEX REPLACE "[.].*" "" seconds ${seconds_${name}})
    math(EXPR long "20 * ${seconds}")
    if(long GREATER timeout)
      set(timeout ${long})
    endif()
  endif()
  set(labels ${test_LABEL} ${when})
  if(test_TURNS)
    list(APPEND labels turns)
  endif()
  set_tests_properties(${name} PROPERTIES LABELS "${labels}" TIMEOUT ${timeout} SKIP_RETURN_CODE 77)
  foreach(property TIMEOUT ENVIRONMENT)
    if(test_${property})
      set_tests_properties(${name} PROPERTIES ${property} "${test_${property}}")
    endif()
  endforeach()
  if(test_SETS_UP)
    set_tests_properties(${name} PROPERTIES FIXTURES_SETUP ${test_SETS_UP} COST 1000)
  endif()
  if(test_NEEDS)
    set_tests_properties(${name} PROPERTIES FIXTURES_REQUIRED ${test_NEEDS})
  endif()
endfunction()
