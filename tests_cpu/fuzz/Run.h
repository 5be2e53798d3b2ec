// Runs a call and looks at what it did.
#ifndef NDFORGE_FUZZ_RUN_H
#define NDFORGE_FUZZ_RUN_H

#include "Call.h"
#include "Memory.h"

namespace fuzz {

enum class Outcome { Ok, Refused, Skipped };  ///< Skipped: the arrays do not fit into the guarded memory

struct Finding {
  std::string kind;    ///< one word
  std::string detail;  ///< one line
};

struct Result {
  Outcome outcome = Outcome::Skipped;
  std::vector<Finding> findings;
  void add(std::string kind, std::string detail) { findings.push_back({std::move(kind), std::move(detail)}); }
};

Result run(const Call& call, Memory& memory);

Result runCustom(const Call& call, Memory& memory);
Result runList(const Call& call, Memory& memory);
Result runNumbered(const Call& call, Memory& memory);

/// The stored error of this thread, which is then cleared: empty when there is none.
std::string takeError();
/// Looks at the message of a call that was refused.
void checkMessage(Result& result, const std::string& op, const std::string& message);
/// Looks at the arrays after a call that was refused.
void checkRefused(Result& result, const std::vector<Placed>& inputs, const std::vector<Placed>& outputs,
                  const std::string& message);
/// Looks at inputs that a call may not change.
void checkInputs(Result& result, const std::vector<Placed>& inputs);

}  // namespace fuzz

#endif
