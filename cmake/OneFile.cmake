# SPDX-License-Identifier: GPL-3.0-or-later
# mikgen as one file, which needs the C library and a Python 3 where it runs: cmake --build build --target onefile
#
# The same libraries as mikgen's, of which all but the C library's are linked statically. The other parts are in an archive at its end.
set(archives)
set(missing)
foreach(name jansson glpk isl amd colamd suitesparseconfig ltdl gmp zstd z)
  find_library(ONEFILE_${name} lib${name}.a)
  list(APPEND archives ${ONEFILE_${name}})
  if(NOT ONEFILE_${name})
    list(APPEND missing lib${name}.a)
  endif()
endforeach()
if(missing OR NOT MIKGEN_STATIC_CLANG)
  string(REPLACE ";" ", " missing "${missing}")
  add_custom_target(onefile COMMAND ${CMAKE_COMMAND} -E echo
      "mikgen-onefile needs MIKGEN_STATIC_CLANG, and of libraries these: ${missing}"
    COMMAND ${CMAKE_COMMAND} -E false VERBATIM)
  return()
endif()

# What an archive of ours or of LLVM's would be linked with otherwise are shared libraries, so archives are named as files.
set(llvm_all)
set(next ${llvm_archives})
while(next)
  list(APPEND llvm_all ${next})
  set(found)
  foreach(library IN LISTS next)
    get_target_property(needed ${library} INTERFACE_LINK_LIBRARIES)
    list(APPEND found ${needed})
  endforeach()
  list(FILTER found INCLUDE REGEX "^LLVM")
  list(REMOVE_DUPLICATES found)
  list(REMOVE_ITEM found ${llvm_all})
  set(next ${found})
endwhile()
set(files)
foreach(library driver front ${MIKGEN_LIBRARIES} ${llvm_all})
  list(APPEND files $<TARGET_FILE:${library}>)
endforeach()
add_executable(mikgen-alone EXCLUDE_FROM_ALL gen/main.c)
target_link_libraries(mikgen-alone PRIVATE mikgen_flags -Wl,--start-group ${files} ${clang_archives} ${archives} -Wl,--end-group
  m ${CMAKE_DL_LIBS})
target_link_options(mikgen-alone PRIVATE -static-libgcc -static-libstdc++ -Wl,--gc-sections -s)
set_target_properties(mikgen-alone PROPERTIES LINKER_LANGUAGE CXX)
add_dependencies(mikgen-alone driver)

# What is inside, and under which licences, as Debian's packages say it.
string(REGEX MATCH "^[0-9]+" compiler ${CMAKE_CXX_COMPILER_VERSION})
set(inside libclang-${LLVM_VERSION_MAJOR}-dev llvm-${LLVM_VERSION_MAJOR}-dev libjansson-dev libglpk-dev libisl-dev libsuitesparse-dev libltdl-dev
  libgmp-dev libzstd-dev zlib1g-dev libstdc++-${compiler}-dev +python3-jinja2 +python3-markupsafe)
set(others licences/GPL-3.0-or-later.txt=${licences}/GPL-3.0-or-later.txt
  licences/LicenseRef-mikgen-output.txt=${licences}/LicenseRef-mikgen-output.txt)
foreach(package ${inside})
  string(REPLACE "+" "" package ${package})
  if(EXISTS /usr/share/doc/${package}/copyright)
    list(APPEND others licences/${package}.txt=/usr/share/doc/${package}/copyright)
  endif()
endforeach()

set(file ${PROJECT_BINARY_DIR}/mikgen-onefile)
add_custom_command(OUTPUT ${file}
  COMMAND ${MIKGEN_PYTHON} -B install/sbom.py ${made}/onefile.spdx.json $<TARGET_FILE:mikgen-alone> ${PROJECT_VERSION} ${inside}
  COMMAND ${MIKGEN_PYTHON} -I -B install/onefile.py ${file} $<TARGET_FILE:mikgen-alone> templates ${PROJECT_BINARY_DIR}/templates
    mikgen.spdx.json=${made}/onefile.spdx.json ${others}
  DEPENDS mikgen-alone install/onefile.py install/sbom.py ${PROJECT_BINARY_DIR}/templates.stamp
  WORKING_DIRECTORY ${PROJECT_SOURCE_DIR} VERBATIM)
add_custom_target(onefile DEPENDS ${file})
