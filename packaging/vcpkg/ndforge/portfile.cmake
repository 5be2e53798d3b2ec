# Builds NDForge from the checkout that holds this folder, or from the folder that NDFORGE_SOURCE names; a triplet file can
# set it.
if(NOT NDFORGE_SOURCE)
  get_filename_component(NDFORGE_SOURCE "${CMAKE_CURRENT_LIST_DIR}/../../.." ABSOLUTE)
endif()
if(NOT EXISTS "${NDFORGE_SOURCE}/buildnativeoperations.sh")
  message(FATAL_ERROR "${NDFORGE_SOURCE} is not a checkout of NDForge; set NDFORGE_SOURCE in the triplet file")
endif()

vcpkg_check_features(OUT_FEATURE_OPTIONS feature_options
  FEATURES
    command SD_BUILD_CLI
    highway SD_USE_HIGHWAY
    onednn SD_USE_ONEDNN)
set(library_type dynamic)
if(VCPKG_LIBRARY_LINKAGE STREQUAL "static")
  set(library_type static)
endif()

vcpkg_cmake_configure(
  SOURCE_PATH "${NDFORGE_SOURCE}"
  OPTIONS
    ${feature_options}
    "-DSD_LIBRARY_TYPE=${library_type}"
    "-DSD_FLATC=${CURRENT_HOST_INSTALLED_DIR}/tools/flatbuffers/flatc"
    -DSD_BUILD_TESTS=OFF
    -DSD_BUILD_EXAMPLES=OFF
    -DSD_BUILD_COMPAT=OFF
    -DSD_WARNINGS_AS_ERRORS=OFF
    -DBLA_VENDOR=OpenBLAS)
vcpkg_cmake_install()
vcpkg_cmake_config_fixup(PACKAGE_NAME NDForge CONFIG_PATH lib/cmake/NDForge)
vcpkg_fixup_pkgconfig()
if("command" IN_LIST FEATURES)
  vcpkg_copy_tools(TOOL_NAMES ndforge AUTO_CLEAN)
endif()
# Manual pages, documentation and what completes commands in shells have no place in vcpkg's tree.
file(REMOVE_RECURSE "${CURRENT_PACKAGES_DIR}/debug/include" "${CURRENT_PACKAGES_DIR}/debug/share"
  "${CURRENT_PACKAGES_DIR}/share/bash-completion" "${CURRENT_PACKAGES_DIR}/share/doc" "${CURRENT_PACKAGES_DIR}/share/fish"
  "${CURRENT_PACKAGES_DIR}/share/man" "${CURRENT_PACKAGES_DIR}/share/zsh")
vcpkg_install_copyright(FILE_LIST "${NDFORGE_SOURCE}/LICENSE")
file(INSTALL "${CMAKE_CURRENT_LIST_DIR}/usage" DESTINATION "${CURRENT_PACKAGES_DIR}/share/${PORT}")
