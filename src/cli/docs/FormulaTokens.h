// The notation of formulas, token by token.
#ifndef NDFORGE_SRC_CLI_DOCS_FORMULATOKENS_H
#define NDFORGE_SRC_CLI_DOCS_FORMULATOKENS_H

#include <string_view>
#include <vector>

namespace sd::cli::docs {

/// What a token is. The operators stand in the order in which they bind, loosest first.
enum class TokenKind {
  End,
  Word,  ///< of a sentence
  Name,  ///< of a quantity or a function; may contain '_', digits, '.' and end with primes
  Number,
  Ellipsis,
  Open,
  Close,
  Bar,        ///< one side of an absolute value
  Separator,  ///< , ; : or the end of a sentence
  Condition,  ///< ? of a choice
  Relation,
  Bits,     ///< & | << >> and an exclusive or
  Sum,      ///< + -
  Product,  ///< * × /
  Power,
  Prefix,   ///< ~
  Postfix,  ///< !
};

struct Token {
  TokenKind kind = TokenKind::End;
  std::string_view text;
  std::string_view shown;  ///< an operator as MathML's text
  bool spaced = false;     ///< whether a space stands before it

  bool is(std::string_view word) const { return text == word; }
};

/// Thrown for a text that is not in the notation.
struct NotNotation {};

/// The tokens of a text, followed by one of the kind End. @throws NotNotation
std::vector<Token> formulaTokens(std::string_view text);

}  // namespace sd::cli::docs

#endif
