# Writes the headers that depend on the configuration into ${SD_GENERATED_INCLUDE}:
#   system/op_enums.h  the numbers of operations as enums, from include/loops/legacy_ops.h
#   system/config.h    the types and operations of this build

# --- system/op_enums.h -----------------------------------------------------------------------------------------------

# macro of legacy_ops.h : namespace : enum
set(SD_OP_GROUPS
  TRANSFORM_FLOAT_OPS:transform:FloatOps   TRANSFORM_SAME_OPS:transform:SameOps TRANSFORM_BOOL_OPS:transform:BoolOps
  TRANSFORM_ANY_OPS:transform:AnyOps       TRANSFORM_STRICT_OPS:transform:StrictOps
  PAIRWISE_TRANSFORM_OPS:pairwise:Ops      PAIRWISE_BOOL_OPS:pairwise:BoolOps   PAIRWISE_INT_OPS:pairwise:IntOps
  SCALAR_OPS:scalar:Ops                    SCALAR_BOOL_OPS:scalar:BoolOps       SCALAR_INT_OPS:scalar:IntOps
  BROADCAST_OPS:broadcast:Ops              BROADCAST_BOOL_OPS:broadcast:BoolOps BROADCAST_INT_OPS:broadcast:IntOps
  REDUCE_FLOAT_OPS:reduce:FloatOps         REDUCE_SAME_OPS:reduce:SameOps       REDUCE_BOOL_OPS:reduce:BoolOps
  REDUCE_LONG_OPS:reduce:LongOps           REDUCE3_OPS:reduce3:Ops              INDEX_REDUCE_OPS:indexreduce:Ops
  SUMMARY_STATS_OPS:variance:Ops           RANDOM_OPS:random:Ops)

# Graph control operations have numbers but no kernels.
set(SD_LOGIC_OPS "(0, While), (10, Scope), (20, Conditional), (30, Switch), (40, Return), (50, Expose), (60, Merge), \
(70, LoopCond), (80, NextIteration), (90, Exit), (100, Enter)")

# The text of one enum from a list of (number, namespaces::Name) entries. Uses and extends SD_NAMES_<namespace>.
function(sd_enum_text outvar where namespace enum entries)
  set(entry_pattern "\\([ \t]*([0-9]+)[ \t]*,[ \t]*([A-Za-z0-9_]+::)*([A-Za-z0-9_]+)[ \t]*\\)")
  string(REGEX REPLACE "${entry_pattern}" "" rest "${entries}")
  string(REGEX REPLACE "[ \t,]+" " " rest "${rest}")
  string(STRIP "${rest}" rest)
  if(NOT rest STREQUAL "")
    message(FATAL_ERROR "${where} contains text that is not a (number, Name) entry: ${rest}")
  endif()

  set(names "${SD_NAMES_${namespace}}")
  set(numbers "")
  set(text "enum ${enum} : int {\n")
  string(REGEX MATCHALL "${entry_pattern}" matches "${entries}")
  foreach(match IN LISTS matches)
    string(REGEX MATCH "${entry_pattern}" ignored "${match}")
    set(number "${CMAKE_MATCH_1}")
    set(name "${CMAKE_MATCH_3}")
    if(number IN_LIST numbers)
      message(FATAL_ERROR "${where} uses the number ${number} twice (second time for ${name})")
    endif()
    if(name IN_LIST names)
      message(FATAL_ERROR "${where}: the name ${name} is already used in namespace ${namespace}")
    endif()
    list(APPEND numbers "${number}")
    list(APPEND names "${name}")
    string(APPEND text "  ${name} = ${number},\n")
  endforeach()
  if(numbers STREQUAL "")
    message(FATAL_ERROR "${where} has no entries")
  endif()
  set(SD_NAMES_${namespace} "${names}" PARENT_SCOPE)
  set(${outvar} "${text}};\n" PARENT_SCOPE)
endfunction()

function(sd_write_op_enums source output)
  set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS "${source}")
  if(NOT EXISTS "${source}")
    message(FATAL_ERROR "The lists of numbered operations are missing: ${source}")
  endif()
  file(READ "${source}" content)
  string(REGEX REPLACE "\r" "" content "${content}")
  string(REGEX REPLACE "/\\*([^*]|\\*+[^*/])*\\*+/" " " content "${content}")
  string(REGEX REPLACE "\\\\[ \t]*\n" " " content "${content}")
  string(REGEX REPLACE "//[^\n]*" "" content "${content}")

  set(order "")
  foreach(group IN LISTS SD_OP_GROUPS)
    string(REPLACE ":" ";" group "${group}")
    list(GET group 0 macro)
    list(GET group 1 namespace)
    list(GET group 2 enum)
    if(NOT "\n${content}" MATCHES "\n[ \t]*#[ \t]*define[ \t]+${macro}[ \t]+([^\n]*)")
      message(FATAL_ERROR "${source} does not define ${macro}")
    endif()
    sd_enum_text(text "${source}: ${macro}" ${namespace} ${enum} "${CMAKE_MATCH_1}")
    string(APPEND body_${namespace} "${text}")
    list(APPEND order ${namespace})
  endforeach()
  sd_enum_text(body_logic "logic operations" logic Ops "${SD_LOGIC_OPS}")
  list(APPEND order logic)
  list(REMOVE_DUPLICATES order)

  set(text "// Numbers of operations. Generated from loops/legacy_ops.h: change that file.\n")
  string(APPEND text "#ifndef NDFORGE_SYSTEM_OP_ENUMS_H\n#define NDFORGE_SYSTEM_OP_ENUMS_H\n\nnamespace sd {\n")
  foreach(namespace IN LISTS order)
    string(APPEND text "\nnamespace ${namespace} {\n${body_${namespace}}}  // namespace ${namespace}\n")
  endforeach()
  string(APPEND text "\n}  // namespace sd\n\n#endif\n")
  file(CONFIGURE OUTPUT "${output}" CONTENT "${text}" @ONLY)
endfunction()

# --- system/config.h -------------------------------------------------------------------------------------------------

function(sd_write_config output)
  set(text "// What this build holds. Generated from SD_DATATYPES and SD_OPERATIONS.\n")
  string(APPEND text "#ifndef NDFORGE_SYSTEM_CONFIG_H\n#define NDFORGE_SYSTEM_CONFIG_H\n\n")
  if(SD_SELECTIVE_TYPES)
    string(APPEND text "#define SD_SELECTIVE_TYPES\n")
  endif()
  foreach(macro IN LISTS SD_TYPE_MACROS)
    string(APPEND text "#define ${macro}\n")
  endforeach()
  sd_split(operations "${SD_OPERATIONS}")
  if(NOT operations)
    string(APPEND text "#define SD_ALL_OPS\n")
  endif()
  foreach(name IN LISTS operations)
    if(NOT name MATCHES "^[A-Za-z_][A-Za-z0-9_]*$")
      message(FATAL_ERROR "SD_OPERATIONS: '${name}' is not the name of an operation")
    endif()
    string(APPEND text "#define OP_${name} 1\n")
  endforeach()

  string(APPEND text "\n#endif\n")
  file(CONFIGURE OUTPUT "${output}" CONTENT "${text}" @ONLY)
endfunction()

sd_write_op_enums("${CMAKE_CURRENT_SOURCE_DIR}/include/loops/legacy_ops.h"
                  "${SD_GENERATED_INCLUDE}/system/op_enums.h")
sd_write_config("${SD_GENERATED_INCLUDE}/system/config.h")
