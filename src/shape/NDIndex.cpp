#include <indexing/IndicesList.h>
#include <indexing/NDIndex.h>

#include "system/Error.h"

namespace sd {

NDIndex* NDIndex::all() { return new NDIndexAll(); }
NDIndex* NDIndex::point(LongType position) { return new NDIndexPoint(position); }
NDIndex* NDIndex::interval(LongType start, LongType end, LongType stride) {
  return new NDIndexInterval(start, end, stride);
}

NDIndexPoint::NDIndexPoint(LongType position) { _indices.push_back(position); }

NDIndexInterval::NDIndexInterval(LongType start, LongType end, LongType stride) {
  if (start < 0 || stride < 1 || end <= start)
    fail("[NDIndex] interval {}..{} with stride {} contains no positions", start, end, stride);
  if (end > SD_MAX_DIMENSION) fail("[NDIndex] interval {}..{} is too long", start, end);
  _stride = stride;
  for (LongType i = start; i < end; i += stride) {
    _indices.push_back(i);
    if (stride > end - i) break;
  }
}

IndicesList::IndicesList(std::initializer_list<NDIndex*> indices) : _indices(indices) {}

IndicesList::~IndicesList() {
  for (NDIndex* index : _indices) delete index;
}

void IndicesList::push_back(NDIndex* index) { _indices.push_back(index); }

bool IndicesList::isScalar() const {
  for (const NDIndex* index : _indices)
    if (!index->isPoint()) return false;
  return true;
}

}  // namespace sd
