#include "ops/declarable/helpers/omitted_input.h"

#include "ops/declarable/helpers/ShortList.h"

namespace sd::ops {

bool readOption(const ArgumentRow& row, const graph::Context& block, void* arguments) {
  ShortList<LongType> values;
  const NDArray* option = optionOf(block);
  if (option != nullptr) {
    if (option->hasValues())
      for (const LongType value : integersOf(*option, 1, row.name())) values.push_back(value);
  } else {
    for (size_t i = static_cast<size_t>(row.first()); i < block.numI(); i++) values.push_back(block.intArgument64(i));
  }
  for (const LongType value : values)
    if (value < row.access().least || value > row.access().most)
      reject("argument '{}': {} is not an integer of 32 bits", row.name(), value);
  row.access().setIntegers(row.memberOf(arguments), values.data(), values.size());
  return option != nullptr || !values.empty();
}

}  // namespace sd::ops
