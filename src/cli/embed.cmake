# Writes OUTPUT: the text of INPUT as a literal of C++.
file(READ "${INPUT}" text)
string(FIND "${text}" ")ASSET\"" ending)
if(NOT ending EQUAL -1)
  message(FATAL_ERROR "${INPUT} holds what ends the literal")
endif()
file(WRITE "${OUTPUT}" "R\"ASSET(${text})ASSET\"\n")
