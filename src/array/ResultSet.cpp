#include <array/NDArray.h>
#include <array/ResultSet.h>

#include <algorithm>
#include <utility>

#include "system/Error.h"

namespace sd {

ResultSet::ResultSet() = default;

// Copies refer to the arrays of the original.
ResultSet::ResultSet(const ResultSet& other) : _content(other._content), _rest(other._rest) {
  _rest.edit().ownedViews.clear();
  setNonRemovable();
}

ResultSet::ResultSet(ResultSet&& other) noexcept : _content(std::move(other._content)), _rest(std::move(other._rest)) {
  other._content.clear();
}

ResultSet& ResultSet::operator=(const ResultSet& other) {
  if (this != &other) *this = ResultSet(other);
  return *this;
}

ResultSet& ResultSet::operator=(ResultSet&& other) noexcept {
  if (this == &other) return *this;
  purge();
  _content.swap(other._content);
  _rest = std::move(other._rest);
  return *this;
}

ResultSet::~ResultSet() { purge(); }

void ResultSet::missing(unsigned long index) const {
  if (!message().empty()) throw std::out_of_range(message());
  fail<std::out_of_range>("[ResultSet] result {} does not exist: there are {}", index, _content.size());
}

void ResultSet::push_back(NDArray* array) { _content.push_back(array); }

void ResultSet::pushOwned(std::unique_ptr<NDArray> array) {
  _content.push_back(nullptr);
  // Other arrays are deleted anyway, and most calls return no views.
  if (array->isView()) _rest.edit().ownedViews.push_back(array.get());
  _content.back() = array.release();
}

void ResultSet::purge() {
  if (_rest.get().removable) {
    // The list may contain an array more than once. After sorting, equal neighbours are deleted once.
    std::sort(_content.begin(), _content.end());
    _content.erase(std::unique(_content.begin(), _content.end()), _content.end());
    if (!_rest.isInitial()) std::sort(_rest.edit().ownedViews.begin(), _rest.edit().ownedViews.end());
    const std::vector<NDArray*>& views = _rest.get().ownedViews;
    for (NDArray* array : _content) {
      if (array == nullptr) continue;
      if (!array->isView() || std::binary_search(views.begin(), views.end(), array)) delete array;
    }
  }
  _content.clear();
  if (!_rest.isInitial()) _rest.edit().ownedViews.clear();
}

}  // namespace sd
