#include "graph/FileContents.h"

#include <flatbuffers/flatbuffers.h>
#include <graph/generated/graph_generated.h>

#include <span>

namespace sd::graph {
namespace {

enum class Content { Values, Texts, Table, Tables };

struct Field {
  flatbuffers::voffset_t slot;
  Content content;
  unsigned bytes = 1;                  // of one value
  std::span<const Field> fields = {};  // of the tables
};

using enum Content;

// The fields outside their tables. Those inside count with the table.
constexpr Field ARRAY[] = {{FlatArray::VT_SHAPE, Values, 8}, {FlatArray::VT_BUFFER, Values}};
constexpr Field VARIABLE[] = {{FlatVariable::VT_ID, Table},
                              {FlatVariable::VT_NAME, Values},
                              {FlatVariable::VT_SHAPE, Values, 8},
                              {FlatVariable::VT_NDARRAY, Table, 1, ARRAY},
                              {FlatVariable::VT_CONTROLDEPS, Texts},
                              {FlatVariable::VT_CONTROLDEPFOROP, Texts},
                              {FlatVariable::VT_CONTROLDEPSFORVAR, Texts}};
constexpr Field PROPERTIES[] = {
    {FlatProperties::VT_NAME, Values}, {FlatProperties::VT_I, Values, 4},        {FlatProperties::VT_L, Values, 8},
    {FlatProperties::VT_D, Values, 8}, {FlatProperties::VT_A, Tables, 1, ARRAY}, {FlatProperties::VT_B, Values},
    {FlatProperties::VT_S, Texts},     {FlatProperties::VT_SHAPE, Values, 4}};
constexpr Field NODE[] = {{FlatNode::VT_NAME, Values},
                          {FlatNode::VT_PROPERTIES, Tables, 1, PROPERTIES},
                          {FlatNode::VT_INPUT, Values, 4},
                          {FlatNode::VT_INPUTPAIRED, Tables},
                          {FlatNode::VT_OUTPUT, Values, 4},
                          {FlatNode::VT_EXTRAPARAMS, Values, 8},
                          {FlatNode::VT_EXTRAINTEGER, Values, 8},
                          {FlatNode::VT_EXTRABOOLS, Values},
                          {FlatNode::VT_DIMENSIONS, Values, 4},
                          {FlatNode::VT_SCOPE_NAME, Values},
                          {FlatNode::VT_OUTPUTNAMES, Texts},
                          {FlatNode::VT_OPNAME, Values},
                          {FlatNode::VT_OUTPUTTYPES, Values},
                          {FlatNode::VT_SCALAR, Table, 1, ARRAY},
                          {FlatNode::VT_CONTROLDEPS, Texts},
                          {FlatNode::VT_VARCONTROLDEPS, Texts},
                          {FlatNode::VT_CONTROLDEPFOR, Texts},
                          {FlatNode::VT_EXTRATYPES, Values},
                          {FlatNode::VT_EXTRASTRINGS, Texts}};
constexpr Field UPDATER[] = {{UpdaterState::VT_PARAMNAME, Values},
                             {UpdaterState::VT_UPDATERSTATEKEYS, Texts},
                             {UpdaterState::VT_UPDATERSTATEVALUES, Tables, 1, ARRAY}};
constexpr Field GRAPH[] = {{FlatGraph::VT_VARIABLES, Tables, 1, VARIABLE},
                           {FlatGraph::VT_NODES, Tables, 1, NODE},
                           {FlatGraph::VT_OUTPUTS, Tables},
                           {FlatGraph::VT_CONFIGURATION, Table},
                           {FlatGraph::VT_PLACEHOLDERS, Texts},
                           {FlatGraph::VT_LOSSVARIABLES, Texts},
                           {FlatGraph::VT_TRAININGCONFIG, Values},
                           {FlatGraph::VT_UPDATERSTATE, Tables, 1, UPDATER}};

class Meter {
 public:
  Meter(uint64_t most, const uint8_t* bytes, size_t size) : _bytes(bytes), _size(size), _left(most) {}

  bool run() {
    uint64_t root = 0;
    if (follow(0, root)) table(root, GRAPH);
    return !_exceeded;
  }

 private:
  static constexpr uint64_t OF_TABLE = 16;
  const uint8_t* _bytes;
  uint64_t _size, _left;
  bool _exceeded = false;

  bool take(uint64_t bytes) {
    _exceeded |= bytes > _left;
    if (!_exceeded) _left -= bytes;
    return !_exceeded;
  }
  template <typename T>
  bool get(uint64_t at, T& value) const {
    if (_size < sizeof(T) || at > _size - sizeof(T)) return false;
    value = flatbuffers::ReadScalar<T>(_bytes + at);
    return true;
  }
  /// The place to which the offset at `at` leads.
  bool follow(uint64_t at, uint64_t& target) const {
    flatbuffers::uoffset_t offset = 0;
    if (!get(at, offset)) return false;
    target = at + offset;
    return true;
  }
  /// The number of values of a vector, which follow its start.
  bool vector(uint64_t at, unsigned bytes, uint64_t& count) {
    flatbuffers::uoffset_t length = 0;
    if (!get(at, length) || uint64_t{length} * bytes > _size - at) return false;
    count = length;
    return take(4 + count * bytes);
  }
  void table(uint64_t at, std::span<const Field> fields) {
    flatbuffers::soffset_t toLayout = 0;
    if (!take(OF_TABLE) || !get(at, toLayout)) return;
    const uint64_t layout = at - static_cast<uint64_t>(int64_t{toLayout});
    flatbuffers::voffset_t length = 0, place = 0;
    if (!get(layout, length)) return;
    for (const Field& field : fields) {
      uint64_t target = 0;
      if (field.slot >= length || !get(layout + field.slot, place) || place == 0 || !follow(at + place, target))
        continue;
      content(target, field);
      if (_exceeded) return;
    }
  }
  void content(uint64_t at, const Field& field) {
    uint64_t count = 0, target = 0, ignored = 0;
    if (field.content == Table) return table(at, field.fields);
    if (!vector(at, field.content == Values ? field.bytes : 4, count) || field.content == Values) return;
    for (uint64_t i = 0; i < count && !_exceeded; i++) {
      if (!follow(at + 4 + 4 * i, target)) return;
      if (field.content == Tables)
        table(target, field.fields);
      else
        vector(target, 1, ignored);
    }
  }
};

}  // namespace

bool readsAtMost(uint64_t most, const uint8_t* bytes, size_t size) { return Meter(most, bytes, size).run(); }

}  // namespace sd::graph
