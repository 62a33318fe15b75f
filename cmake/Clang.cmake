# SPDX-License-Identifier: GPL-3.0-or-later
# Sets LLVM_INCLUDE_DIRS and CLANG_LIBS from Debian's llvm-19-dev and libclang-19-dev.
#
# find_package(Clang) is not used: its CMake files ship with the compiler, not with the library.
# Static is the default: the executable starts in a few milliseconds and needs no LLVM where it runs.
find_package(LLVM REQUIRED CONFIG PATHS /usr/lib/llvm-19 NO_DEFAULT_PATH)

if(MIKGEN_STATIC_CLANG)
  set(clang_archives Tooling Frontend Driver Serialization Parse Sema Analysis Edit ASTMatchers AST Lex Basic
    APINotes Support)
  list(TRANSFORM clang_archives REPLACE "(.+)" "${LLVM_LIBRARY_DIR}/libclang\\1.a")
  llvm_map_components_to_libnames(llvm_archives option support bitreader frontendopenmp profiledata mc
    targetparser windowsdriver)
  # Of libTooling one file is needed, which names nearly all of the driver: sections that nothing reaches stay out.
  set(CLANG_LIBS -Wl,--gc-sections -Wl,--start-group ${clang_archives} -Wl,--end-group ${llvm_archives})
else()
  find_library(CLANG_CPP_LIBRARY REQUIRED NO_DEFAULT_PATH PATHS ${LLVM_LIBRARY_DIR}
    NAMES libclang-cpp.so.${LLVM_VERSION_MAJOR}.${LLVM_VERSION_MINOR} libclang-cpp.so.${LLVM_VERSION_MAJOR})
  set(CLANG_LIBS ${CLANG_CPP_LIBRARY} LLVM)
endif()
