// The arrays and arguments of one call of an operation.
#ifndef NDFORGE_HELPERS_OPARGSHOLDER_H
#define NDFORGE_HELPERS_OPARGSHOLDER_H

#include <array/NDArray.h>

#include <vector>

namespace sd {

/// Holds pointers to the caller's arrays; deletes the arrays that it made itself (createArgsHolderForBP in place).
class SD_LIB_EXPORT OpArgsHolder {
 public:
  OpArgsHolder() = default;
  OpArgsHolder(const std::vector<NDArray*>& inArrs, const std::vector<double>& tArgs = {},
               const std::vector<LongType>& iArgs = {}, const std::vector<bool>& bArgs = {});
  OpArgsHolder(const OpArgsHolder& other);
  OpArgsHolder(OpArgsHolder&& other) noexcept;
  OpArgsHolder& operator=(const OpArgsHolder& other);
  OpArgsHolder& operator=(OpArgsHolder&& other) noexcept;
  ~OpArgsHolder();

  const std::vector<NDArray*>& getInArrs() const { return _inArrs; }
  const std::vector<double>& getTArgs() const { return _tArgs; }
  const std::vector<LongType>& getIArgs() const { return _iArgs; }
  const std::vector<bool>& getBArgs() const { return _bArgs; }
  /// Which arrays this holder deletes; empty when it deletes none.
  const std::vector<bool>& getAllocInfo() const { return _isArrAlloc; }
  int getNumInArrs() const { return _counts[0]; }
  int getNumTArgs() const { return _counts[1]; }
  int getNumIArgs() const { return _counts[2]; }
  int getNumBArgs() const { return _counts[3]; }

  /// The arguments for a call of the gradient operation: the inputs (copies of them when isInPlace), followed by the
  /// gradients of the outputs, and the same other arguments.
  OpArgsHolder createArgsHolderForBP(const std::vector<NDArray*>& inGradArrs, bool isInPlace = false) const;

 private:
  std::vector<NDArray*> _inArrs;
  std::vector<double> _tArgs;
  std::vector<LongType> _iArgs;
  std::vector<bool> _bArgs;
  std::vector<bool> _isArrAlloc;
  int _counts[4] = {};  // of arrays and of the three kinds of arguments: ND4J's JNI library reads them itself

  void count();
  void release();
};

}  // namespace sd

#endif
