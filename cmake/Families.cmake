# The families of operations, operations and argument structs, as lines for C++ arrays: ops/Families.inc,
# ops/FamilySummaries.inc, ops/ArgumentStructs.inc, ops/Enumerators.inc in ${PROJECT_BINARY_DIR}/private. Programs that
# include them depend on the target ndforge_families.
file(GLOB SD_OP_HEADERS CONFIGURE_DEPENDS "${PROJECT_SOURCE_DIR}/include/ops/declarable/headers/*.h")
set(families "${PROJECT_BINARY_DIR}/private/ops/Families.inc")
set(summaries "${PROJECT_BINARY_DIR}/private/ops/FamilySummaries.inc")
set(structs "${PROJECT_BINARY_DIR}/private/ops/ArgumentStructs.inc")
set(enumerators "${PROJECT_BINARY_DIR}/private/ops/Enumerators.inc")
add_custom_command(OUTPUT "${families}" "${summaries}" "${structs}" "${enumerators}"
  COMMAND "${CMAKE_COMMAND}" "-DHEADERS=${PROJECT_SOURCE_DIR}/include/ops/declarable/headers" "-DOPERATIONS=${families}"
          "-DSUMMARIES=${summaries}" "-DSTRUCTS=${structs}" "-DENUMERATORS=${enumerators}" -P "${PROJECT_SOURCE_DIR}/cmake/WriteFamilies.cmake"
  DEPENDS ${SD_OP_HEADERS} "${PROJECT_SOURCE_DIR}/cmake/WriteFamilies.cmake" VERBATIM)
add_custom_target(ndforge_families DEPENDS "${families}" "${summaries}" "${structs}" "${enumerators}")
