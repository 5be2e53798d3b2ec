# Writes OUTPUT: the text of INPUT as a C++ string literal.
file(READ "${INPUT}" text)
string(FIND "${text}" ")ASSET\"" ending)
if(NOT ending EQUAL -1)
  message(FATAL_ERROR "${INPUT} contains the text that ends the literal")
endif()
file(WRITE "${OUTPUT}" "R\"ASSET(${text})ASSET\"\n")
