# A static library of one object. Operations register themselves when a program starts, and no code refers to their
# object files. If the library had many objects, linkers would leave these files out. Sets SD_STATIC_SOURCES.
set(object "${PROJECT_BINARY_DIR}/ndforge.o")
# CMake links programs as C++ when a source of the library is C++.
set(language "${PROJECT_BINARY_DIR}/ndforge_language.cpp")
file(CONFIGURE OUTPUT "${language}" CONTENT "// NDForge is a library of C++.\n")
set(SD_STATIC_SOURCES "${object}" "${language}")
set(list "${PROJECT_BINARY_DIR}/ndforge_objects.txt")
file(GENERATE OUTPUT "${list}"
  CONTENT "\"$<JOIN:$<TARGET_OBJECTS:ndforge_objects>,\"\n\">\"\n\"$<JOIN:${SD_KERNEL_OBJECTS},\"\n\">\"\n")

add_custom_command(OUTPUT "${object}"
  COMMAND "${SD_LD}" -r -o "${object}" "@${list}"
  DEPENDS ndforge_objects "$<TARGET_OBJECTS:ndforge_objects>" ${SD_KERNEL_OBJECTS} "${list}"
  COMMAND_EXPAND_LISTS VERBATIM COMMENT "Joining the objects")
set_source_files_properties("${object}" PROPERTIES EXTERNAL_OBJECT TRUE GENERATED TRUE)
