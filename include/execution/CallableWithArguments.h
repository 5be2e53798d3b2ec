// A loop body with the arguments of one slice.
#ifndef NDFORGE_EXECUTION_CALLABLEWITHARGUMENTS_H
#define NDFORGE_EXECUTION_CALLABLEWITHARGUMENTS_H

#include <execution/CallableInterface.h>

#include <functional>
#include <utility>

namespace samediff {

class CallableWithArguments : public CallableInterface {
 public:
  explicit CallableWithArguments(std::function<void()> call) : _call(std::move(call)) {}

  template <typename F, typename... Args>
  CallableWithArguments(F function, Args... arguments)
      : _call([function = std::move(function), arguments...]() { function(arguments...); }) {}

  void execute() override { _call(); }

 private:
  std::function<void()> _call;
};

}  // namespace samediff

#endif
