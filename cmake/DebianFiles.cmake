# SPDX-License-Identifier: GPL-3.0-or-later
# Run by cpack between what it installs and a .deb of it: what Debian's policy wants of packages, and of no other installation.
if(NOT CPACK_GENERATOR STREQUAL DEB)
  return()
endif()
set(root ${CPACK_TEMPORARY_INSTALL_DIRECTORY}${CPACK_PACKAGING_INSTALL_PREFIX})
set(doc ${root}/share/doc/mikgen)

# The date is SOURCE_DATE_EPOCH's, where it is set, as are those of all files then.
set(ENV{LC_ALL} C)
string(TIMESTAMP date "%a, %d %b %Y %H:%M:%S +0000" UTC)
file(WRITE ${doc}/changelog "mikgen (${CPACK_PACKAGE_VERSION}) unstable; urgency=medium

  * Release ${CPACK_PACKAGE_VERSION}.

 -- ${CPACK_PACKAGE_CONTACT}  ${date}
")

file(READ ${doc}/LICENSE.exception exception)
string(REGEX REPLACE "\n+$" "" exception "${exception}")
string(REPLACE "\n\n" "\n.\n" exception "${exception}")
string(REPLACE "\n" "\n " exception " ${exception}")
file(WRITE ${doc}/copyright "Format: https://www.debian.org/doc/packaging-manuals/copyright-format/1.0/
Upstream-Name: mikgen
Comment: The program is linked with parts of Clang and LLVM, Copyright the LLVM Project's contributors,
 under the Apache License 2.0 (/usr/share/common-licenses/Apache-2.0) with LLVM exceptions.
 mikgen.spdx.json beside this file lists all parts.

Files: *
Copyright: 2026 The mikgen authors
License: GPL-3+ with mikgen-output exception

License: GPL-3+ with mikgen-output exception
${exception}
 .
 On Debian systems the text of version 3 is in /usr/share/common-licenses/GPL-3.
")

file(GLOB pages ${root}/share/man/man*/*)
execute_process(COMMAND gzip -9 -n -f ${pages} ${doc}/changelog COMMAND_ERROR_IS_FATAL ANY)
