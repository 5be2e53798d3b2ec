// Formulas of schemas as HTML.
#ifndef NDFORGE_SRC_CLI_DOCS_FORMULA_H
#define NDFORGE_SRC_CLI_DOCS_FORMULA_H

#include <string>
#include <string_view>

namespace sd::cli::docs {

/// Inline HTML that shows a formula: MathML between words. A formula that is not in the notation of docs/schemas.md
/// comes out as escaped text.
std::string formulaHtml(std::string_view formula);

/// Whether the whole formula is in the notation of docs/schemas.md.
bool isTypeset(std::string_view formula);

}  // namespace sd::cli::docs

#endif
