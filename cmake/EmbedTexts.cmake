# SPDX-License-Identifier: GPL-3.0-or-later
# Files as an array of C strings, ended by NULL:
#   cmake -D OUT=FILE.c -D NAME=ARRAY -D HEADER=DECLARES_IT -P EmbedTexts.cmake FILE...
set(text "#include \"${HEADER}\"\n\nconst char *const ${NAME}[] = {\n")
foreach(i RANGE 1 ${CMAKE_ARGC})
  if(script_seen AND i LESS CMAKE_ARGC)
    file(READ "${CMAKE_ARGV${i}}" content)
    string(REPLACE "\\" "\\\\" content "${content}")
    string(REPLACE "\"" "\\\"" content "${content}")
    string(REPLACE "\n" "\\n\"\n\"" content "${content}")
    string(APPEND text "\"${content}\",\n")
  endif()
  if("${CMAKE_ARGV${i}}" MATCHES "EmbedTexts.cmake$")
    set(script_seen TRUE)
  endif()
endforeach()
file(WRITE "${OUT}" "${text}NULL};\n")
