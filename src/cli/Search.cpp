#include "cli/Search.h"

#include <ops/declarable/Schema.h>

#include <algorithm>
#include <utility>

#include "cli/Text.h"

namespace sd::cli {
namespace {

/// Underscores and capitals do not count.
std::string plain(std::string_view text) {
  std::string result = lower(text);
  std::erase(result, '_');
  return result;
}

/// The last part of "torch.nn.functional.conv2d".
std::string_view lastPart(std::string_view name) { return name.substr(name.rfind('.') + 1); }

/// 0 when the word is nowhere.
int scoreOf(const CustomOp& op, const std::string& word) {
  const ops::Schema& schema = op.schema();
  std::vector<std::string> names = op.aliases();
  names.push_back(op.name());
  int score = 0;
  const auto raise = [&score](int to) { score = std::max(score, to); };
  for (const std::string& name : names) {
    const std::string own = plain(name);
    if (own == word) raise(100);
    if (own.starts_with(word)) raise(60);
    if (own.find(word) != std::string::npos) raise(40);
  }
  const ops::NamesElsewhere& elsewhere = schema.elsewhere();
  for (const char* name : {elsewhere.numpy, elsewhere.torch, elsewhere.tensorflow, elsewhere.onnx}) {
    const std::string other = plain(lastPart(name));
    if (other.empty()) continue;
    if (other == word || plain(name) == word) raise(80);
    if (other.starts_with(word)) raise(50);
  }
  for (const std::string& term : split(schema.words(), ',')) {
    const std::string words = plain(term);
    if (words.find(word) != std::string::npos) raise(words.size() <= word.size() + 1 ? 55 : 30);
  }
  if (plain(schema.summary()).find(word) != std::string::npos) raise(20);
  return score;
}

}  // namespace

std::vector<CustomOp> searchOps(const std::string& text) {
  std::vector<std::string> words;
  for (const std::string& word : split(text, ' '))
    if (!word.empty()) words.push_back(plain(word));
  std::vector<std::pair<int, CustomOp>> found;
  for (CustomOp& op : customOps()) {
    int total = 0;
    for (const std::string& word : words) {
      const int score = scoreOf(op, word);
      if (score == 0) {
        total = 0;
        break;
      }
      total += score;
    }
    // Gradients are found by their names; otherwise the operations themselves come first.
    if (op.name().ends_with("_bp") || op.name().ends_with("_grad")) total = (total + 1) / 2;
    if (total > 0) found.emplace_back(total, std::move(op));
  }
  std::stable_sort(found.begin(), found.end(), [](const auto& a, const auto& b) { return a.first > b.first; });
  std::vector<CustomOp> ops;
  for (auto& [score, op] : found) ops.push_back(std::move(op));
  return ops;
}

}  // namespace sd::cli
