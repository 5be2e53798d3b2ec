#include <helpers/OpArgsHolder.h>

#include <utility>

namespace sd {

OpArgsHolder::OpArgsHolder(const std::vector<NDArray*>& inArrs, const std::vector<double>& tArgs,
                           const std::vector<LongType>& iArgs, const std::vector<bool>& bArgs)
    : _inArrs(inArrs), _tArgs(tArgs), _iArgs(iArgs), _bArgs(bArgs) {
  count();
}

void OpArgsHolder::count() {
  const size_t sizes[] = {_inArrs.size(), _tArgs.size(), _iArgs.size(), _bArgs.size()};
  for (int kind = 0; kind < 4; kind++) _counts[kind] = static_cast<int>(sizes[kind]);
}

// The copy refers to the caller's arrays and copies the arrays that the other object owns.
OpArgsHolder::OpArgsHolder(const OpArgsHolder& other)
    : OpArgsHolder(other._inArrs, other._tArgs, other._iArgs, other._bArgs) {
  _isArrAlloc.resize(other._isArrAlloc.size(), false);
  for (size_t i = 0; i < _isArrAlloc.size(); i++) {
    if (!other._isArrAlloc[i]) continue;
    _inArrs[i] = new NDArray(*other._inArrs[i]);
    _isArrAlloc[i] = true;
  }
}

OpArgsHolder::OpArgsHolder(OpArgsHolder&& other) noexcept { *this = std::move(other); }

OpArgsHolder& OpArgsHolder::operator=(const OpArgsHolder& other) {
  if (this != &other) *this = OpArgsHolder(other);
  return *this;
}

OpArgsHolder& OpArgsHolder::operator=(OpArgsHolder&& other) noexcept {
  std::swap(_inArrs, other._inArrs);
  std::swap(_tArgs, other._tArgs);
  std::swap(_iArgs, other._iArgs);
  std::swap(_bArgs, other._bArgs);
  std::swap(_isArrAlloc, other._isArrAlloc);
  std::swap(_counts, other._counts);
  return *this;
}

OpArgsHolder::~OpArgsHolder() { release(); }

void OpArgsHolder::release() {
  for (size_t i = 0; i < _isArrAlloc.size(); i++)
    if (_isArrAlloc[i]) delete _inArrs[i];
}

OpArgsHolder OpArgsHolder::createArgsHolderForBP(const std::vector<NDArray*>& inGradArrs, bool isInPlace) const {
  OpArgsHolder result(_inArrs, _tArgs, _iArgs, _bArgs);
  if (isInPlace) {
    result._isArrAlloc.resize(_inArrs.size() + inGradArrs.size(), false);
    for (size_t i = 0; i < _inArrs.size(); i++) {
      result._inArrs[i] = new NDArray(*_inArrs[i]);
      result._isArrAlloc[i] = true;
    }
  }
  result._inArrs.insert(result._inArrs.end(), inGradArrs.begin(), inGradArrs.end());
  result.count();
  return result;
}

}  // namespace sd
