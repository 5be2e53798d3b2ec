# Writes OUTPUT: a line {"operation", "family"} for each operation that the headers in HEADERS declare; the family is
# the name of the header. Writes SUMMARIES: a line {"family", "summary"} for each header, with its first comment.
file(GLOB headers "${HEADERS}/*.h")
set(lines "")
set(summaries "")
foreach(header IN LISTS headers)
  get_filename_component(family "${header}" NAME_WE)
  file(STRINGS "${header}" comment REGEX "^// " LIMIT_COUNT 1)
  string(REGEX REPLACE "^// " "" summary "${comment}")
  string(REPLACE "\\;" ";" summary "${summary}")  # file(STRINGS) escapes ; as \;
  string(APPEND summaries "{\"${family}\", R\"(${summary})\"},\n")
  file(STRINGS "${header}" declarations REGEX "^ *DECLARE_[A-Z_]*OP\\(")
  foreach(declaration IN LISTS declarations)
    string(REGEX REPLACE "^ *DECLARE_[A-Z_]*OP\\(([A-Za-z0-9_]+).*" "\\1" name "${declaration}")
    string(APPEND lines "{\"${name}\", \"${family}\"},\n")
  endforeach()
endforeach()
file(WRITE "${OUTPUT}" "${lines}")
file(WRITE "${SUMMARIES}" "${summaries}")
