// What calls say that fail.
#ifndef NDFORGE_TESTS_MESSAGES_H
#define NDFORGE_TESTS_MESSAGES_H

#include <gtest/gtest.h>

#include <exception>
#include <initializer_list>
#include <string>
#include <vector>

namespace nd_test {

/// The message of the exception that `call` throws; "no error" when it throws none.
template <typename F>
std::string errorOf(F&& call) {
  try {
    call();
  } catch (const std::exception& error) {
    return error.what();
  }
  return "no error";
}

/// A part of a message, or several.
class MessageParts {
 public:
  MessageParts(const char* part) : _parts{part} {}
  MessageParts(const std::string& part) : _parts{part} {}
  MessageParts(std::initializer_list<std::string> parts) : _parts(parts) {}
  const std::vector<std::string>& list() const { return _parts; }

 private:
  std::vector<std::string> _parts;
};

/// `call` throws, and the message has all these parts.
template <typename F>
void expectMessage(F&& call, const MessageParts& parts) {
  const std::string message = errorOf(call);
  for (const std::string& part : parts.list())
    EXPECT_NE(std::string::npos, message.find(part)) << part << "\nis not in\n" << message;
}

}  // namespace nd_test

#endif
