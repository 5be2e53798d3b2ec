// Runs a call and checks its effects.
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

/// Returns the stored error of this thread and clears it; empty when there is none.
std::string takeError();
/// Checks the message of a rejected call.
void checkMessage(Result& result, const std::string& op, const std::string& message);
/// Checks the arrays after a rejected call.
void checkRefused(Result& result, const std::vector<Placed>& inputs, const std::vector<Placed>& outputs,
                  const std::string& message);
/// Checks that inputs that a call may not change are unchanged.
void checkInputs(Result& result, const std::vector<Placed>& inputs);

}  // namespace fuzz

#endif
