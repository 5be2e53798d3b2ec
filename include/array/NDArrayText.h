// Arrays as text, as NumPy prints them: text(x), stream << x, and formatters for std::format and, when its header comes
// first, for {fmt}.
//
//   std::cout << x << '\n';   // [[1.  2.5]
//                             //  [3.  4. ]]
#ifndef NDFORGE_ARRAY_NDARRAYTEXT_H
#define NDFORGE_ARRAY_NDARRAYTEXT_H

#include <array/NDArray.h>

#include <ostream>
#include <string>

#if __has_include(<version>)
#include <version>
#endif
#ifdef __cpp_lib_format
#include <format>
#endif

namespace sd {
namespace nd {

/// How text() writes arrays.
struct PrintOptions {
  int precision = 8;            ///< digits after the point, at most
  LongType threshold = 1000;    ///< the middle of arrays with more elements is left out
  LongType edge = 3;            ///< how many elements stay on each side of what is left out
  int width = 75;               ///< characters in a line
  const char* separator = " ";  ///< between elements; NumPy's repr() has ", "
  int indent = 0;               ///< characters that stand in front of the text, so that lines align
};

/// The elements in rows, all in one format: the shortest digits that give the numbers back, up to options.precision.
/// Numbers that differ much in size have exponents. Strings stand in quotation marks.
/// @throws std::invalid_argument for options below 0 and for an edge or a width of 0
SD_LIB_EXPORT std::string text(const NDArray& x, const PrintOptions& options = {});

}  // namespace nd

inline std::ostream& operator<<(std::ostream& stream, const NDArray& x) { return stream << nd::text(x); }

}  // namespace sd

#ifdef __cpp_lib_format
template <>
struct std::formatter<sd::NDArray> : std::formatter<std::string> {
  auto format(const sd::NDArray& x, std::format_context& context) const {
    return std::formatter<std::string>::format(sd::nd::text(x), context);
  }
};
#endif

#ifdef FMT_VERSION
template <>
struct fmt::formatter<sd::NDArray> : fmt::formatter<std::string> {
  template <typename Context>
  auto format(const sd::NDArray& x, Context& context) const {
    return fmt::formatter<std::string>::format(sd::nd::text(x), context);
  }
};
#endif

#endif
