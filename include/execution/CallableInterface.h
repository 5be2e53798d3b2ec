// The interface of work that a Ticket can run.
#ifndef NDFORGE_EXECUTION_CALLABLEINTERFACE_H
#define NDFORGE_EXECUTION_CALLABLEINTERFACE_H

namespace samediff {

class CallableInterface {
 public:
  virtual ~CallableInterface() = default;
  virtual void execute() = 0;
};

}  // namespace samediff

#endif
