# Sources of operations that a build cut with SD_OPERATIONS leaves out. Inside the files that stay, NOT_EXCLUDED
# (system/op_declaration.h) leaves out single ones.

# Takes from the list `sources` the files that define operations, none of which is in SD_OPERATIONS.
function(sd_drop_operations sources)
  if(NOT SD_OPERATIONS)
    return()
  endif()
  # gradients stand beside their operations, in tables under the same name
  string(TOLOWER "${SD_OPERATIONS}" wanted)
  string(REGEX REPLACE "_bp(;|$)" "\\1" wanted "${wanted}")
  list(JOIN wanted "|" names)
  set(kept)
  foreach(source IN LISTS ${sources})
    if(source MATCHES "/src/ops/declarable/(generic|platform)/")
      file(READ "${source}" text)
      string(REGEX REPLACE "\"[^\"\n]*\"|//[^\n]*" "" text "${text}")
      string(TOLOWER "${text}" text)
      if(text MATCHES "_impl\\(|sd_op_body|declare_types" AND NOT text MATCHES "(^|[^a-z0-9_])(${names})(_bp)?([^a-z0-9_]|$)")
        continue()
      endif()
    endif()
    list(APPEND kept "${source}")
  endforeach()
  set(${sources} "${kept}" PARENT_SCOPE)
endfunction()
