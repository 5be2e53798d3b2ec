#include <array/NDArray.h>
#include <array/ResultSet.h>

#include <algorithm>

namespace sd {

ResultSet::ResultSet() = default;

ResultSet::ResultSet(const ResultSet& other) : _content(other._content), _status(other._status), _removable(false) {}

ResultSet::ResultSet(ResultSet&& other) noexcept
    : _content(std::move(other._content)),
      _ownedViews(std::move(other._ownedViews)),
      _status(other._status),
      _removable(other._removable) {
  other._content.clear();
  other._ownedViews.clear();
}

ResultSet& ResultSet::operator=(const ResultSet& other) {
  if (this == &other) return *this;
  purge();
  _content = other._content;
  _status = other._status;
  _removable = false;
  return *this;
}

ResultSet& ResultSet::operator=(ResultSet&& other) noexcept {
  if (this == &other) return *this;
  purge();
  _content.swap(other._content);
  _ownedViews.swap(other._ownedViews);
  _status = other._status;
  _removable = other._removable;
  return *this;
}

ResultSet::~ResultSet() { purge(); }

void ResultSet::push_back(NDArray* array) { _content.push_back(array); }

void ResultSet::pushOwned(std::unique_ptr<NDArray> array) {
  _content.push_back(nullptr);
  _ownedViews.push_back(array.get());
  _content.back() = array.release();
}

void ResultSet::purge() {
  if (_removable) {
    // An array may stand in the list more than once. Equal neighbours after sorting are deleted once.
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
