// The elements of MathML that formulas consist of.
#ifndef NDFORGE_SRC_CLI_DOCS_FORMULAMARKUP_H
#define NDFORGE_SRC_CLI_DOCS_FORMULAMARKUP_H

#include <string>
#include <string_view>

namespace sd::cli::docs {

inline constexpr std::string_view THIN_SPACE = R"(<mspace width="0.17em"/>)";

/// A sign between two operands.
std::string operatorSign(std::string_view shown);

std::string grouped(const std::string& content);

/// Brackets grow with fractions and sums only: those around letters with descenders would stick out.
std::string fenced(std::string_view open, const std::string& content, std::string_view close);

/// 1e-12 is shown as a power of ten.
std::string numberMarkup(std::string_view text);

/// A name with its subscripts and primes: x_i, x0, beta1, v', gradX_k, learning_rate. `bracketed` is the subscript of a
/// name that ends with '_'. @throws NotNotation for more than two primes
std::string nameMarkup(std::string_view text, const std::string& bracketed = "");

/// ∑, ∏ or "max" with what stands below it.
std::string bigMarkup(std::string_view sign, const std::string& bound);

}  // namespace sd::cli::docs

#endif
