# The contents of a build that is cut down with SD_OPERATIONS. The unit is the source file: the opening comment of a
# source of src/ops/declarable/generic or platform ends with lines that say what the source holds and calls, and the
# source is built when one of its operations is wanted. A source without such lines is always built.
#
#   // operations: softmax softmax_bp   the operations that it defines or, in platform/, helps
#   // aliases: other_name              further names of these operations
#   // calls: Exp Subtract conv2d       numbered operations, by the names of their classes, and other operations
#
# A name under `calls` that is both means the numbered operation. SD_OPERATIONS ignores case. The test operation_lines
# compares the lines with the sources.

# What the operators of NDArray and src/ops/declarable/Common.cpp call.
set(SD_CALLED_BY_ALL Add Subtract ReverseSubtract Multiply Divide ReverseDivide Neg Sum)
# What random numbers with a normal distribution call (src/loops/random.cpp).
set(SD_CALLED_BY_NORMAL Cosine Exp Log Sin Sqrt)

# Removes the sources without a wanted operation from the list `sources`. Sets `result` to the numbered operations that
# are wanted or called.
function(sd_select_operations sources result)
  set(${result} "" PARENT_SCOPE)
  string(TOLOWER "${SD_OPERATIONS}" wanted)
  sd_split(wanted "${wanted}")
  if(NOT wanted)
    return()
  endif()
  file(STRINGS "${SD_GENERATED_INCLUDE}/system/op_enums.h" numbered REGEX "^  [A-Za-z0-9_]+ = ")
  list(TRANSFORM numbered REPLACE "^  ([A-Za-z0-9_]+) = .*" "\\1")

  set(kept)
  set(pending)
  string(TOLOWER "${numbered}" known)
  foreach(source IN LISTS ${sources})
    set(lines)
    if(source MATCHES "/src/ops/declarable/(generic|platform)/")
      set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS "${source}")
      file(STRINGS "${source}" lines REGEX "^// (operations|aliases|calls): ")
    endif()
    if(NOT lines)
      list(APPEND kept "${source}")
      continue()
    endif()
    list(APPEND pending "${source}")
    set(calls ${lines})
    list(FILTER calls INCLUDE REGEX "^// calls: ")
    list(FILTER lines EXCLUDE REGEX "^// calls: ")
    foreach(part IN ITEMS lines calls)
      list(TRANSFORM ${part} REPLACE "^// [a-z]+: " "")
      sd_split(${part} "${${part}}")
    endforeach()
    string(TOLOWER "${lines}" names)
    string(MAKE_C_IDENTIFIER "${source}" id)
    set(names_${id} ${names})
    set(calls_${id} ${calls})
    list(APPEND known ${names})
  endforeach()

  foreach(name IN LISTS wanted)
    if(NOT name IN_LIST known)
      message(FATAL_ERROR "SD_OPERATIONS: there is no operation '${name}'")
    endif()
  endforeach()

  set(built ${wanted} ${SD_CALLED_BY_ALL})
  set(before "")
  while(NOT "${pending}" STREQUAL "${before}")
    set(before "${pending}")
    foreach(source IN LISTS pending)
      string(MAKE_C_IDENTIFIER "${source}" id)
      set(others ${names_${id}})
      list(REMOVE_ITEM others ${wanted})
      if(others STREQUAL names_${id})
        continue()
      endif()
      list(APPEND kept "${source}")
      list(REMOVE_ITEM pending "${source}")
      # The other operations of the file are in the build too; those that a platform file helps need not be.
      if(NOT source MATCHES "/platform/")
        list(APPEND wanted ${others})
      endif()
      foreach(call IN LISTS calls_${id})
        if(call IN_LIST numbered)
          list(APPEND built "${call}")
        else()
          string(TOLOWER "${call}" call)
          list(APPEND wanted "${call}")
        endif()
      endforeach()
    endforeach()
  endwhile()
  string(TOLOWER "${built}" names)
  if(names MATCHES "(^|;)(gaussian|lognormal)distribution(;|$)")
    list(APPEND built ${SD_CALLED_BY_NORMAL})
  endif()
  list(REMOVE_DUPLICATES built)
  set(${sources} "${kept}" PARENT_SCOPE)
  set(${result} "${built}" PARENT_SCOPE)
endfunction()
