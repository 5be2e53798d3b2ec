# Install rules: the library, its headers, the command, and the files for find_package and pkg-config.
include(CMakePackageConfigHelpers)

set(NDFORGE_CMAKE_DIR "${CMAKE_INSTALL_LIBDIR}/cmake/NDForge")

set(CMAKE_INSTALL_DEFAULT_COMPONENT_NAME ndforge)
install(TARGETS ndforge EXPORT NDForgeTargets
  LIBRARY DESTINATION "${CMAKE_INSTALL_LIBDIR}"
  ARCHIVE DESTINATION "${CMAKE_INSTALL_LIBDIR}")
install(DIRECTORY "${PROJECT_SOURCE_DIR}/include/" "${SD_GENERATED_INCLUDE}/"
  DESTINATION "${CMAKE_INSTALL_INCLUDEDIR}/ndforge"
  FILES_MATCHING PATTERN "*.h" PATTERN "*.hpp" PATTERN "*.hXX")
# For programs in other languages that read and write the files.
install(DIRECTORY "${PROJECT_SOURCE_DIR}/src/graph/schema" DESTINATION "${CMAKE_INSTALL_DATADIR}/ndforge"
  FILES_MATCHING PATTERN "*.fbs")
if(TARGET ndforge_cli)
  file(RELATIVE_PATH to_libraries "${CMAKE_INSTALL_FULL_BINDIR}" "${CMAKE_INSTALL_FULL_LIBDIR}")
  set_target_properties(ndforge_cli PROPERTIES INSTALL_RPATH "$ORIGIN/${to_libraries}")
  install(TARGETS ndforge_cli RUNTIME DESTINATION "${CMAKE_INSTALL_BINDIR}")
  # A build of single targets may be without these.
  set(shell_texts "${PROJECT_BINARY_DIR}/shell")
  install(FILES "${shell_texts}/ndforge.1" DESTINATION "${CMAKE_INSTALL_MANDIR}/man1" OPTIONAL)
  install(FILES "${shell_texts}/ndforge" DESTINATION "${CMAKE_INSTALL_DATADIR}/bash-completion/completions" OPTIONAL)
  install(FILES "${shell_texts}/_ndforge" DESTINATION "${CMAKE_INSTALL_DATADIR}/zsh/vendor-completions" OPTIONAL)
  install(FILES "${shell_texts}/ndforge.fish" DESTINATION "${CMAKE_INSTALL_DATADIR}/fish/vendor_completions.d" OPTIONAL)
endif()

if(TARGET nd4jcpu)
  install(TARGETS nd4jcpu LIBRARY DESTINATION "${CMAKE_INSTALL_LIBDIR}" COMPONENT nd4j)
endif()

install(EXPORT NDForgeTargets NAMESPACE NDForge:: DESTINATION "${NDFORGE_CMAKE_DIR}")
configure_package_config_file("${PROJECT_SOURCE_DIR}/cmake/NDForgeConfig.cmake.in" "${PROJECT_BINARY_DIR}/NDForgeConfig.cmake"
  INSTALL_DESTINATION "${NDFORGE_CMAKE_DIR}")
write_basic_package_version_file("${PROJECT_BINARY_DIR}/NDForgeConfigVersion.cmake" COMPATIBILITY SameMinorVersion)
install(FILES "${PROJECT_BINARY_DIR}/NDForgeConfig.cmake" "${PROJECT_BINARY_DIR}/NDForgeConfigVersion.cmake"
  "${PROJECT_SOURCE_DIR}/cmake/FindRE2.cmake" "${PROJECT_SOURCE_DIR}/cmake/FindUtf8proc.cmake"
  "${PROJECT_SOURCE_DIR}/cmake/FindOneDNN.cmake" "${PROJECT_SOURCE_DIR}/cmake/FindHighway.cmake" DESTINATION "${NDFORGE_CMAKE_DIR}")

# The paths are relative to the .pc file, so that an installed tree can be moved.
file(RELATIVE_PATH NDFORGE_PC_PREFIX "/${CMAKE_INSTALL_LIBDIR}/pkgconfig" "/")
string(REGEX REPLACE "/$" "" NDFORGE_PC_PREFIX "${NDFORGE_PC_PREFIX}")
set(NDFORGE_PC_BLAS ${BLAS_LIBRARIES})
if(NOT SD_BLAS_HAS_LAPACK)
  list(PREPEND NDFORGE_PC_BLAS ${LAPACK_LIBRARIES})
endif()
list(JOIN NDFORGE_PC_BLAS " " NDFORGE_PC_BLAS)
set(NDFORGE_PC_PRIVATE_LIBS "${NDFORGE_PC_BLAS} ${OpenMP_CXX_FLAGS} -lz -lre2 -lutf8proc -lstdc++ -lm")
if(OneDNN_FOUND)
  string(PREPEND NDFORGE_PC_PRIVATE_LIBS "-ldnnl ")
endif()
if(Highway_FOUND)
  string(PREPEND NDFORGE_PC_PRIVATE_LIBS "-lhwy_contrib -lhwy ")
endif()
configure_file("${PROJECT_SOURCE_DIR}/cmake/ndforge.pc.in" "${PROJECT_BINARY_DIR}/ndforge.pc" @ONLY)
install(FILES "${PROJECT_BINARY_DIR}/ndforge.pc" DESTINATION "${CMAKE_INSTALL_LIBDIR}/pkgconfig")
# The links of README.md lead to these folders.
install(FILES "${PROJECT_SOURCE_DIR}/LICENSE" "${PROJECT_SOURCE_DIR}/README.md" "${PROJECT_SOURCE_DIR}/CHANGELOG.md"
  DESTINATION "${CMAKE_INSTALL_DOCDIR}")
install(DIRECTORY "${PROJECT_SOURCE_DIR}/docs" "${PROJECT_SOURCE_DIR}/examples" DESTINATION "${CMAKE_INSTALL_DOCDIR}"
  PATTERN "target" EXCLUDE PATTERN "__pycache__" EXCLUDE)

if(PROJECT_IS_TOP_LEVEL)
  include(Packaging)
endif()
