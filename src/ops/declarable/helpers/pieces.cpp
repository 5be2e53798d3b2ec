#include "ops/declarable/helpers/pieces.h"

#include <helpers/StringUtils.h>

namespace sd::ops {

// No UTF-8 character contains another one, so bytes can be compared.
std::vector<std::vector<std::string>> piecesOf(const NDArray& strings, const NDArray& delimiter) {
  requireScalar(delimiter, 1, "delimiter");
  const auto separator = delimiter.e<std::string>(0);
  if (separator.empty()) reject("input 1 'delimiter': it must not be an empty string");
  std::vector<std::vector<std::string>> pieces;
  for (LongType i = 0; i < strings.lengthOf(); i++)
    pieces.push_back(StringUtils::split(strings.e<std::string>(i), separator));
  return pieces;
}

}  // namespace sd::ops
