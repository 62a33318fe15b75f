# SPDX-License-Identifier: GPL-3.0-or-later
# mikgen_test(NAME COMMAND...): add_test, with what most tests here say of themselves.
#
#   mikgen_test(oracle.syrk.gcc ONE_OF 2 TIMEOUT 300 ENVIRONMENT A=1 COMMAND tests/oracle/oracle.sh ...)
#
#   COMMAND      a path without a leading slash is below this folder
#   LABEL        default: the name up to its first dot
#   TIMEOUT      seconds; default 300, and of long tests (below) what four of them at once would take
#   ENVIRONMENT  NAME=VALUE...
#   SETS_UP F, NEEDS F    CTest's fixtures
#   ONE_OF N     drawn: it runs at one commit in N
#   KIND         what it is drawn among; default: the label
#
# Shell tests exit with 77 to say "skipped", after a line that tells why.
#
# seconds.txt says of tests that are long how many seconds of a processor they take. CTest starts with what sets a fixture up, and then with
# those, so that none is alone at the end.
#
# With MIKGEN_ALL_TESTS everything runs. Without it, which tests are drawn depends on the commit's name, so that every commit tries other
# ones; what is left out stands in left_out.txt. Within a kind the draw is systematic: the shares 1/N add up, test by test, from a number
# below 1 that the commit's name chooses, and a test at which the sum reaches the next integer runs. So each has its share, and the number of
# those that run is the sum of all shares, rounded down or up: no commit has many, and where the sum is 1 or more, none has none. Tests that
# take more than LONG_SECONDS are a kind of their own, lest several come together, and one that takes k times as long has a k-th of its share.
option(MIKGEN_ALL_TESTS "Run the tests that repeat others, too, not only a part of them" OFF)
set(MIKGEN_SECONDS_TO "" CACHE FILEPATH "Each test adds a line to this file: what it took of a processor (timed.sh)")
set(MIKGEN_DRAW_PERCENT 75 CACHE STRING "Of the tests that would be drawn, so many in a hundred")
set(MIKGEN_DRAW_AS "" CACHE STRING "Draw as this commit does, not as the one that is checked out")
set(commit ${MIKGEN_DRAW_AS})
if(NOT commit)
  execute_process(COMMAND git rev-parse HEAD WORKING_DIRECTORY ${PROJECT_SOURCE_DIR}
    OUTPUT_VARIABLE commit OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET)
endif()
set(LONG_SECONDS 60)
set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS seconds.txt)
file(STRINGS seconds.txt lines REGEX "^[^#]")
foreach(line IN LISTS lines)
  string(REPLACE " " ";" line "${line}")
  list(GET line 0 name)
  list(GET line 1 seconds_${name})
endforeach()
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

# Whether the next test of a kind, which is to run at one commit in OF, does so at this one.
function(mikgen_draw variable test kind of)
  set(whole 1000000)
  set(share "${whole} * ${MIKGEN_DRAW_PERCENT} / (100 * ${of})")
  if(seconds_${test} GREATER LONG_SECONDS)
    set(kind long)
    set(share "${share} * ${LONG_SECONDS} / ${seconds_${test}}")
  endif()
  get_property(sum GLOBAL PROPERTY mikgen_drawn_${kind})
  if("${sum}" STREQUAL "")
    mikgen_draw_number(sum ${kind} ${whole})
  endif()
  math(EXPR sum "${sum} + ${share}")
  set(${variable} FALSE PARENT_SCOPE)
  if(NOT sum LESS whole)
    math(EXPR sum "${sum} - ${whole}")
    set(${variable} TRUE PARENT_SCOPE)
  elseif(NOT MIKGEN_ALL_TESTS)
    file(APPEND ${MIKGEN_LEFT_OUT} "${test}\n")
  endif()
  set_property(GLOBAL PROPERTY mikgen_drawn_${kind} ${sum})
endfunction()

# mikgen_draw_part(VARIABLE KEY OF): arguments that choose one of OF parts of a test, by the commit's name; none where all tests run.
function(mikgen_draw_part variable key of)
  set(${variable} "" PARENT_SCOPE)
  if(NOT MIKGEN_ALL_TESTS)
    mikgen_draw_number(part ${key} ${of})
    set(${variable} ${part} ${of} PARENT_SCOPE)
  endif()
endfunction()

# mikgen_draw_mutations(DRAWN LIMIT KEY COUNT): arguments that choose COUNT entries of a mutations.txt, by the commit's name, and a TIMEOUT for
# them. Where all tests run, no arguments, and time for all entries.
function(mikgen_draw_mutations drawn limit key count)
  set(${drawn} "" PARENT_SCOPE)
  set(${limit} 10800 PARENT_SCOPE)
  if(NOT MIKGEN_ALL_TESTS)
    mikgen_draw_number(number ${key} 100000)
    set(${drawn} ${number} ${count} PARENT_SCOPE)
    set(${limit} 900 PARENT_SCOPE)
  endif()
endfunction()

function(mikgen_test name)
  cmake_parse_arguments(test "" "LABEL;TIMEOUT;SETS_UP;NEEDS;ONE_OF;KIND" "ENVIRONMENT;COMMAND" ${ARGN})
  if(test_UNPARSED_ARGUMENTS OR NOT test_COMMAND)
    message(FATAL_ERROR "mikgen_test(${name}): ${test_UNPARSED_ARGUMENTS}")
  endif()
  if(NOT test_LABEL)
    string(REGEX REPLACE "[.].*" "" test_LABEL ${name})
  endif()
  if(NOT test_KIND)
    set(test_KIND ${test_LABEL})
  endif()
  if(test_ONE_OF)
    mikgen_draw(drawn ${name} ${test_KIND} ${test_ONE_OF})
    if(NOT drawn AND NOT MIKGEN_ALL_TESTS)
      return()
    endif()
  endif()
  list(POP_FRONT test_COMMAND program)
  if(EXISTS ${MIKGEN_TESTS}/${program})
    set(program ${MIKGEN_TESTS}/${program})
  endif()
  set(timed "")
  if(MIKGEN_SECONDS_TO)
    set(timed ${MIKGEN_TESTS}/timed.sh ${MIKGEN_SECONDS_TO} ${name})
  endif()
  add_test(NAME ${name} COMMAND ${timed} ${program} ${test_COMMAND})
  set_tests_properties(${name} PROPERTIES LABELS ${test_LABEL} TIMEOUT 300 SKIP_RETURN_CODE 77)
  if(seconds_${name})
    math(EXPR timeout "4 * ${seconds_${name}}")
    set_tests_properties(${name} PROPERTIES COST ${seconds_${name}})
    if(timeout GREATER 300)
      set_tests_properties(${name} PROPERTIES TIMEOUT ${timeout})
    endif()
  endif()
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
