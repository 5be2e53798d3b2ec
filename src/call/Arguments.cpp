#include <ops/declarable/Arguments.h>
#include <ops/declarable/RunningOp.h>

#include "system/Error.h"

namespace sd::ops {

ArgumentRow::ArgumentRow(const char* name, const char* text, const MemberAccess& access, size_t offset)
    : _name(name), _text(text), _access(&access), _offset(offset) {}

ArgumentRow& ArgumentRow::at(ArgumentList list, int first) {
  _places[0] = {list, first};
  return *this;
}

ArgumentRow& ArgumentRow::orAt(ArgumentList list, int first) {
  Place& place = _places[_places[1].list == ArgumentList::None ? 1 : 2];
  place = {list, first};
  return *this;
}

ArgumentRow& ArgumentRow::part(int share, int shares) {
  _share = share;
  _shares = shares;
  return *this;
}

ArgumentRow& ArgumentRow::orInput(int index) {
  _input = index;
  return *this;
}

ArgumentRow& ArgumentRow::elseInput(int index) {
  _input = index;
  _inputComesLast = true;
  return *this;
}

ArgumentRow& ArgumentRow::require() {
  _required = true;
  return *this;
}

ArgumentRow& ArgumentRow::atLeast(double least) {
  _least = least;
  _hasRange = true;
  return *this;
}

ArgumentRow& ArgumentRow::atMost(double most) {
  _most = most;
  _hasRange = true;
  return *this;
}

void* ArgumentBlock::prepare(const ArgumentStruct& type) {
  if (holds(type)) {
    type.reset(_data);
    return _data;
  }
  clear();
  if (type.alignment > alignof(std::max_align_t))
    invalidArgument("[arguments] the struct is aligned to {} bytes, more than {}", type.alignment,
                    alignof(std::max_align_t));
  std::byte* place = _own;
  if (type.size > FEW) {
    _apart = std::make_unique<std::byte[]>(type.size);
    place = _apart.get();
  }
  type.construct(place);
  _type = &type;
  return _data = place;
}

void ArgumentBlock::clear() {
  if (_data != nullptr) _type->destroy(_data);
  _data = nullptr;
  _apart.reset();
}

void detail::otherArguments(const std::type_info& wanted) {
  fail<std::logic_error>("[{}] the arguments of the call are not of type {}", RunningOp::name(), wanted.name());
}

}  // namespace sd::ops
