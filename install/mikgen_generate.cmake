# SPDX-License-Identifier: GPL-3.0-or-later OR LicenseRef-mikgen-output
# mikgen_generate(TARGET app SPEC a.spec b.spec
#                 [LANGUAGE c|cuda] [ENGINE single|shared] [PREFIX p] [PROFILE file...] [OPTIONS option...])
#
# Adds to the target, which the same folder has added, for each SPEC its NAME_dyn.c (cuda: .cu) and the folder of its header NAME_dyn.h
# (.cuh). They are made anew when the spec, what it includes, a profile or mikgen itself has changed.
#
#   LANGUAGE  of the sources; default c
#   ENGINE    shared: the specs have one set of kernels, in mikgen_engine.c, which is added as well
#   PREFIX    in front of every symbol
#   PROFILE   measured times, of mikgen tune
#   OPTIONS   of mikgen, as mikgen --help lists them
function(mikgen_generate)
  cmake_parse_arguments(PARSE_ARGV 0 arg "" "TARGET;LANGUAGE;ENGINE;PREFIX" "SPEC;PROFILE;OPTIONS")
  _mikgen_check_arguments()
  set(folder ${CMAKE_CURRENT_BINARY_DIR}/mikgen/${arg_TARGET})
  file(MAKE_DIRECTORY ${folder})
  set(endings c h)
  if(arg_LANGUAGE STREQUAL "cuda")
    set(endings cu cuh)
  endif()
  set(options --target=${arg_LANGUAGE} --prefix=${arg_PREFIX} ${arg_OPTIONS})
  set(inputs)
  foreach(profile IN LISTS arg_PROFILE)
    get_filename_component(profile ${profile} ABSOLUTE)
    list(APPEND options --profile=${profile})
    list(APPEND inputs ${profile})
  endforeach()
  if(arg_ENGINE STREQUAL "shared")
    _mikgen_command("${specs}" ${folder}/mikgen_engine.d "mikgen_engine.c;mikgen_engine.h" ${options} --emit=engine -o ${folder})
    list(APPEND options --engine=shared)
  endif()
  foreach(spec IN LISTS specs)
    get_filename_component(name ${spec} NAME_WLE)
    list(TRANSFORM endings PREPEND ${name}_dyn. OUTPUT_VARIABLE files)
    _mikgen_command(${spec} ${folder}/${name}_dyn.d "${files}" ${options} --output-dir=${folder})
  endforeach()
  target_include_directories(${arg_TARGET} PUBLIC $<BUILD_INTERFACE:${folder}>)
endfunction()

# One run of mikgen, for these specs with these options, which makes these files in ${folder}.
macro(_mikgen_command from depfile files)
  set(outputs ${files})
  list(TRANSFORM outputs PREPEND ${folder}/)
  list(GET outputs 0 source)
  file(RELATIVE_PATH shown ${CMAKE_BINARY_DIR} ${source})
  add_custom_command(OUTPUT ${outputs}
    COMMAND mikgen::mikgen --depfile=${depfile} ${ARGN} ${from}
    DEPENDS $<TARGET_FILE:mikgen::mikgen> ${from} ${inputs}
    DEPFILE ${depfile} VERBATIM COMMENT "Generating ${shown}")
  target_sources(${arg_TARGET} PRIVATE ${outputs})
endmacro()

# Says what is wrong with the call; sets defaults, and specs to the paths of the specs.
macro(_mikgen_check_arguments)
  if(arg_UNPARSED_ARGUMENTS)
    message(FATAL_ERROR "mikgen_generate: '${arg_UNPARSED_ARGUMENTS}' belongs to no argument: "
      "write mikgen_generate(TARGET app SPEC a.spec [LANGUAGE c|cuda] [ENGINE single|shared] [PREFIX p] [PROFILE f] [OPTIONS ...])")
  endif()
  if(NOT TARGET "${arg_TARGET}")
    message(FATAL_ERROR "mikgen_generate: TARGET '${arg_TARGET}' is no target: call add_executable or add_library first")
  endif()
  get_target_property(target_folder ${arg_TARGET} SOURCE_DIR)
  if(NOT target_folder STREQUAL CMAKE_CURRENT_SOURCE_DIR)
    message(FATAL_ERROR "mikgen_generate: ${arg_TARGET} belongs to ${target_folder}: call mikgen_generate there")
  endif()
  if(NOT arg_SPEC)
    message(FATAL_ERROR "mikgen_generate: there is no SPEC: name the files with the operators")
  endif()
  if(NOT arg_LANGUAGE)
    set(arg_LANGUAGE c)
  endif()
  if(NOT arg_LANGUAGE MATCHES "^(c|cuda)$")
    message(FATAL_ERROR "mikgen_generate: LANGUAGE '${arg_LANGUAGE}' is none: write c or cuda; for both, call it twice, each with a PREFIX")
  endif()
  string(TOUPPER ${arg_LANGUAGE} language)
  if(NOT CMAKE_${language}_COMPILER)
    message(FATAL_ERROR "mikgen_generate: the project has no ${language} compiler: write project(... LANGUAGES ${language})")
  endif()
  if(arg_ENGINE AND NOT arg_ENGINE MATCHES "^(single|shared)$")
    message(FATAL_ERROR "mikgen_generate: ENGINE '${arg_ENGINE}' is none: write single or shared")
  endif()
  if(arg_ENGINE STREQUAL "shared" AND arg_LANGUAGE STREQUAL "cuda")
    message(FATAL_ERROR "mikgen_generate: ENGINE shared is about C: in CUDA, kernels are made for each operator")
  endif()
  set(specs)
  foreach(spec IN LISTS arg_SPEC)
    get_filename_component(spec ${spec} ABSOLUTE)
    if(NOT EXISTS ${spec})
      get_property(generated SOURCE ${spec} PROPERTY GENERATED)
      if(NOT generated)
        message(FATAL_ERROR "mikgen_generate: there is no ${spec}")
      endif()
    endif()
    list(APPEND specs ${spec})
  endforeach()
endmacro()
