#include "ops/declarable/helpers/pieces.h"

namespace sd::ops {
namespace {

std::vector<std::string> split(const std::string& text, const std::string& delimiter) {
  std::vector<std::string> pieces;
  size_t start = 0;
  for (size_t at; (at = text.find(delimiter, start)) != std::string::npos; start = at + delimiter.size())
    pieces.push_back(text.substr(start, at - start));
  pieces.push_back(text.substr(start));
  return pieces;
}

}  // namespace

// No UTF-8 character contains another one, so bytes can be compared.
std::vector<std::vector<std::string>> piecesOf(const NDArray& strings, const NDArray& delimiter) {
  requireScalar(delimiter, 1, "delimiter");
  const auto separator = delimiter.e<std::string>(0);
  if (separator.empty()) reject("input 1 'delimiter': it must not be an empty string");
  std::vector<std::vector<std::string>> pieces;
  for (LongType i = 0; i < strings.lengthOf(); i++) pieces.push_back(split(strings.e<std::string>(i), separator));
  return pieces;
}

}  // namespace sd::ops
