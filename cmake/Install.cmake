# SPDX-License-Identifier: GPL-3.0-or-later
# What is installed, and packages of it. All of it finds the rest from where it is itself: an installed tree may be moved.
include(CMakePackageConfigHelpers)
set(data ${CMAKE_INSTALL_DATADIR})
set(made ${PROJECT_BINARY_DIR}/install)
file(MAKE_DIRECTORY ${made})

install(TARGETS mikgen RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
install(DIRECTORY templates/ DESTINATION ${data}/mikgen/templates)
install(DIRECTORY ${PROJECT_BINARY_DIR}/templates/ DESTINATION ${data}/mikgen/templates/compiled)
install(DIRECTORY examples/ DESTINATION ${CMAKE_INSTALL_DOCDIR}/examples)
install(DIRECTORY docs/ DESTINATION ${CMAKE_INSTALL_DOCDIR}/docs FILES_MATCHING PATTERN "*.md" PATTERN "*.svg")
set(licences ${PROJECT_SOURCE_DIR}/LICENSES) # the two names in the root are links, which would be installed as such
install(FILES README.md CONTRIBUTING.md DESTINATION ${CMAKE_INSTALL_DOCDIR})
# What these link to besides: tests/install/links.py follows every link of the installed tree.
install(DIRECTORY bench/results/ DESTINATION ${CMAKE_INSTALL_DOCDIR}/bench/results
  FILES_MATCHING PATTERN "*.txt" PATTERN "*.md" PATTERN "*.svg" PATTERN "*.csv")
install(FILES tests/simulator/README.md DESTINATION ${CMAKE_INSTALL_DOCDIR}/tests/simulator)
install(DIRECTORY tests/tasks/ DESTINATION ${CMAKE_INSTALL_DOCDIR}/tests/tasks FILES_MATCHING PATTERN "*.sh")
install(FILES ${licences}/GPL-3.0-or-later.txt DESTINATION ${CMAKE_INSTALL_DOCDIR} RENAME LICENSE)
install(FILES ${licences}/LicenseRef-mikgen-output.txt DESTINATION ${CMAKE_INSTALL_DOCDIR} RENAME LICENSE.exception)

# ---------------------------------------------------------------- manual pages and completions, of what --help prints
# mikgen_made(NAME FOLDER SCRIPT argument...): a file that the script writes, and where it is installed.
function(mikgen_made name folder script)
  add_custom_command(OUTPUT ${made}/${name}
    COMMAND ${MIKGEN_PYTHON} -B ${script} ${made}/${name} ${ARGN}
    DEPENDS mikgen install/help_text.py install/man.py install/completions.py install/sbom.py docs/spec-language.md
    WORKING_DIRECTORY ${PROJECT_SOURCE_DIR} VERBATIM)
  set_property(GLOBAL APPEND PROPERTY mikgen_made ${made}/${name})
  if(folder)
    install(FILES ${made}/${name} DESTINATION ${folder})
  endif()
endfunction()

set(program $<TARGET_FILE:mikgen>)
mikgen_made(mikgen.1 ${CMAKE_INSTALL_MANDIR}/man1 install/man.py command ${program} ${PROJECT_VERSION})
mikgen_made(mikgen-spec.5 ${CMAKE_INSTALL_MANDIR}/man5 install/man.py spec docs/spec-language.md ${PROJECT_VERSION}
  "What a spec may hold" "What is promised about the output")
mikgen_made(mikgen ${data}/bash-completion/completions install/completions.py bash ${program})
mikgen_made(_mikgen "" install/completions.py zsh ${program})
mikgen_made(mikgen.fish ${data}/fish/vendor_completions.d install/completions.py fish ${program})

# What is linked, with versions and licences; of what is linked statically the loader knows nothing.
if(MIKGEN_STATIC_CLANG)
  set(static libclang-${LLVM_VERSION_MAJOR}-dev llvm-${LLVM_VERSION_MAJOR}-dev)
endif()
mikgen_made(mikgen.spdx.json ${CMAKE_INSTALL_DOCDIR} install/sbom.py ${program} ${PROJECT_VERSION} ${static})
get_property(all_made GLOBAL PROPERTY mikgen_made)
add_custom_target(manual ALL DEPENDS ${all_made})

# zsh of Debian looks below /usr elsewhere than all others.
install(CODE "
  set(folder site-functions)
  if(CMAKE_INSTALL_PREFIX STREQUAL /usr AND EXISTS /etc/debian_version)
    set(folder vendor-completions)
  endif()
  file(INSTALL ${made}/_mikgen DESTINATION \${CMAKE_INSTALL_PREFIX}/${data}/zsh/\${folder})")

# ---------------------------------------------------------------- for builds of others
configure_package_config_file(install/mikgenConfig.cmake.in ${made}/mikgenConfig.cmake
  INSTALL_DESTINATION ${data}/cmake/mikgen PATH_VARS CMAKE_INSTALL_BINDIR)
write_basic_package_version_file(${made}/mikgenConfigVersion.cmake COMPATIBILITY SameMinorVersion ARCH_INDEPENDENT)
install(FILES ${made}/mikgenConfig.cmake ${made}/mikgenConfigVersion.cmake install/mikgen_generate.cmake
  DESTINATION ${data}/cmake/mikgen)
file(RELATIVE_PATH prefix_from_pc ${CMAKE_INSTALL_FULL_DATADIR}/pkgconfig ${CMAKE_INSTALL_PREFIX})
string(REGEX REPLACE "/$" "" prefix_from_pc ${prefix_from_pc})
configure_file(install/mikgen.pc.in ${made}/mikgen.pc @ONLY)
install(FILES ${made}/mikgen.pc DESTINATION ${data}/pkgconfig)
install(FILES install/mikgen.mk DESTINATION ${data}/mikgen)

# The sources of a release, out of git: cmake --build build --target dist
add_custom_target(dist COMMAND install/dist.sh ${PROJECT_VERSION} ${PROJECT_BINARY_DIR} WORKING_DIRECTORY ${PROJECT_SOURCE_DIR} VERBATIM)

# ---------------------------------------------------------------- packages: cpack -G DEB or TGZ, in the build folder
set(CPACK_PACKAGE_VENDOR mikgen)
set(MIKGEN_MAINTAINER "The mikgen authors" CACHE STRING "Who makes packages: \"NAME <ADDRESS>\", as Debian wants it")
set(CPACK_PACKAGE_CONTACT ${MIKGEN_MAINTAINER})
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "generates C and CUDA with micro-kernels for any shape from loop nests")
set(CPACK_PACKAGE_DESCRIPTION "An operator is a plain C loop nest. mikgen writes one self-contained C or
CUDA file for it: all micro-kernel variants, and a dispatcher that picks and
combines them at each call for the extents at hand. The file goes into the
tree of whoever runs it. There is no run-time library, and no range of shapes
is declared.")
set(CPACK_RESOURCE_FILE_LICENSE ${licences}/GPL-3.0-or-later.txt)
set(CPACK_GENERATOR DEB TGZ)
set(CPACK_STRIP_FILES ON)
set(CPACK_PRE_BUILD_SCRIPTS ${PROJECT_SOURCE_DIR}/cmake/DebianFiles.cmake)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_SECTION devel)
set(CPACK_DEBIAN_PACKAGE_DEPENDS "python3, python3-jinja2") # beside the libraries that it is linked with
set(CPACK_DEBIAN_PACKAGE_RECOMMENDS libxgboost0)            # trains models: mikgen tune
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
include(CPack)
