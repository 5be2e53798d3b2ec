# Highway's sorting functions: Highway_FOUND and the target Highway::contrib. Highway's own CMake configuration, as Debian
# packages it, does not name the library in which they are.
find_path(Highway_INCLUDE_DIR hwy/contrib/sort/vqsort.h)
find_library(Highway_LIBRARY hwy)
find_library(Highway_CONTRIB_LIBRARY hwy_contrib)
mark_as_advanced(Highway_INCLUDE_DIR Highway_LIBRARY Highway_CONTRIB_LIBRARY)

include(FindPackageHandleStandardArgs)
find_package_handle_standard_args(Highway REQUIRED_VARS Highway_CONTRIB_LIBRARY Highway_LIBRARY Highway_INCLUDE_DIR)
if(Highway_FOUND AND NOT TARGET Highway::contrib)
  add_library(Highway::contrib UNKNOWN IMPORTED)
  set_target_properties(Highway::contrib PROPERTIES IMPORTED_LOCATION "${Highway_CONTRIB_LIBRARY}"
                        INTERFACE_INCLUDE_DIRECTORIES "${Highway_INCLUDE_DIR}" INTERFACE_LINK_LIBRARIES "${Highway_LIBRARY}")
endif()
