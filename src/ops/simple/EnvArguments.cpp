#include <memory/Allocation.h>
#include <memory/Workspace.h>
#include <ops/declarable/RunningOp.h>
#include <ops/declarable/Schema.h>
#include <ops/simple/EnvArguments.h>

#include <utility>

#include "system/Error.h"

namespace sd::ops {

// ---- views

void* InputView::elements(DataType wanted) const {
  if (_array == nullptr) return nullptr;
  if (_array->dataType() != wanted)
    invalidArgument("[{}] an array of {} is read as {}", RunningOp::name(), DataTypeUtils::asString(type()),
                    DataTypeUtils::asString(wanted));
  return _array->buffer();
}

// ---- resources

Resource::~Resource() { release(); }

Resource::Resource(Resource&& other) noexcept { *this = std::move(other); }

Resource& Resource::operator=(Resource&& other) noexcept {
  if (this == &other) return *this;
  release();
  _kind = other._kind;
  _call = other._call;
  _memory = std::exchange(other._memory, nullptr);
  _size = std::exchange(other._size, 0);
  _isOwned = std::exchange(other._isOwned, false);
  return *this;
}

void Resource::release() const {
  if (_isOwned) memory::release(_memory);
  _memory = nullptr;
  _size = 0;
  _isOwned = false;
}

void Resource::require(ResourceRequest kind) const {
  if (_call == nullptr || _kind != kind)
    fail<std::logic_error>("[{}] the resource is not {}: set_resource_request() says which there are",
                           RunningOp::name(), kind == kTempSpace ? "temp space" : "a random generator");
}

void* Resource::bytes(LongType count, size_t size) const {
  require(kTempSpace);
  if (count < 0) invalidArgument("[{}] temp space of {} elements", RunningOp::name(), count);
  const size_t wanted = memory::checkedBytes(static_cast<size_t>(count), size);
  if (wanted <= _size && _memory != nullptr) return _memory;
  release();
  memory::Workspace* workspace = _call->workspace();
  if (workspace != nullptr && wanted > 0) {
    _memory = workspace->allocateAligned(static_cast<LongType>(wanted));
  } else {
    _memory = memory::allocate(wanted);
    _isOwned = true;
  }
  _size = wanted;
  return _memory;
}

const graph::RandomGenerator& Resource::generator() const {
  require(kRandom);
  return _call->getRng();
}

// ---- arguments

const void* EnvArguments::data(const ArgumentStruct& type) const {
  if (_type == nullptr || !(*_type == type))
    fail<std::logic_error>("[{}] its parameters have another struct, or there are none: set_parameters()",
                           RunningOp::name());
  return _arguments;
}

Kwargs EnvArguments::kwargs() const {
  if (_schema == nullptr) fail<std::logic_error>("[{}] shape functions read parameters<S>()", RunningOp::name());
  return _arguments == nullptr ? Kwargs() : kwargsOf(*_schema, _arguments);
}

}  // namespace sd::ops
