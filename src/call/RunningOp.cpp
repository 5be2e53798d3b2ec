// The operation that a thread is running, and the messages that carry its name.
#include <ops/declarable/RunningOp.h>
#include <system/op_body.h>

#include <cstdarg>
#include <cstdio>
#include <stdexcept>

namespace sd::ops {
namespace {

thread_local const std::string* running = nullptr;

std::string formatted(const char* format, va_list arguments) {
  va_list again;
  va_copy(again, arguments);
  const int length = std::vsnprintf(nullptr, 0, format, again);
  va_end(again);
  if (length < 0) return format;
  std::string text(static_cast<size_t>(length), '\0');
  std::vsnprintf(text.data(), text.size() + 1, format, arguments);
  return text;
}

/// "softmax: text", "SOFTMAX OP: text" and "[softmax] text" become "text", because the name is prefixed anyway.
std::string_view withoutName(std::string_view text, const std::string& name) {
  const size_t colon = text.find(": ");
  const auto same = [](char a, char b) { return (a | 32) == (b | 32); };
  if (text.size() > name.size() + 3 && text[0] == '[' && text.substr(1, name.size()) == name &&
      text[name.size() + 1] == ']')
    return text.substr(name.size() + 3);
  if (colon == std::string_view::npos || colon < name.size()) return text;
  for (size_t i = 0; i < name.size(); i++)
    if (!same(text[i], name[i])) return text;
  const std::string_view rest = text.substr(name.size(), colon - name.size());
  if (!rest.empty() && rest.find_first_of(" _") != 0) return text;
  return rest.size() < 8 ? text.substr(colon + 2) : text;
}

}  // namespace

RunningOp::RunningOp(const std::string& name) noexcept : _outer(running) { running = &name; }

RunningOp::~RunningOp() { running = _outer; }

const std::string* RunningOp::current() noexcept { return running; }

const std::string& RunningOp::name() noexcept {
  static const std::string none = "operation";
  return running == nullptr ? none : *running;
}

void requirementFailed(int, const char* format, ...) {
  va_list arguments;
  va_start(arguments, format);
  std::string text = formatted(format, arguments);
  va_end(arguments);
  if (running == nullptr) throw std::invalid_argument(text);
  std::string message = "[";
  message += *running;
  message += "] ";
  message += withoutName(text, *running);
  throw std::invalid_argument(message);
}

}  // namespace sd::ops
