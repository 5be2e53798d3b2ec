#include <array/NDArray.h>
#include <array/ResultSet.h>

#include <algorithm>
#include <utility>

#include "system/Error.h"

namespace sd {

ResultSet::ResultSet() = default;

ResultSet::ResultSet(const ResultSet& other)
    : _content(other._content), _status(other._status), _message(other._message), _removable(false) {}

ResultSet::ResultSet(ResultSet&& other) noexcept
    : _content(std::move(other._content)),
      _ownedViews(std::move(other._ownedViews)),
      _status(other._status),
      _message(std::move(other._message)),
      _removable(other._removable) {
  other._content.clear();
  other._ownedViews.clear();
}

ResultSet& ResultSet::operator=(const ResultSet& other) {
  if (this == &other) return *this;
  purge();
  _content = other._content;
  _status = other._status;
  _message = other._message;
  _removable = false;
  return *this;
}

ResultSet& ResultSet::operator=(ResultSet&& other) noexcept {
  if (this == &other) return *this;
  purge();
  _content.swap(other._content);
  _ownedViews.swap(other._ownedViews);
  _status = other._status;
  _message.swap(other._message);
  _removable = other._removable;
  return *this;
}

ResultSet::~ResultSet() { purge(); }

void ResultSet::missing(unsigned long index) const {
  if (!_message.empty()) throw std::out_of_range(_message);
  fail<std::out_of_range>("[ResultSet] result {} does not exist: there are {}", index, _content.size());
}

void ResultSet::push_back(NDArray* array) { _content.push_back(array); }

void ResultSet::pushOwned(std::unique_ptr<NDArray> array) {
  _content.push_back(nullptr);
  _ownedViews.push_back(array.get());
  _content.back() = array.release();
}

void ResultSet::purge() {
  if (_removable) {
    // The list may contain an array more than once. After sorting, equal neighbours are deleted once.
    std::sort(_content.begin(), _content.end());
    _content.erase(std::unique(_content.begin(), _content.end()), _content.end());
    std::sort(_ownedViews.begin(), _ownedViews.end());
    for (NDArray* array : _content) {
      if (array == nullptr) continue;
      if (!array->isView() || std::binary_search(_ownedViews.begin(), _ownedViews.end(), array)) delete array;
    }
  }
  _content.clear();
  _ownedViews.clear();
}

}  // namespace sd
