// The errors that the selectors throw when no case matches.
#include <array/DataTypeUtils.h>
#include <system/op_boilerplate.h>

#include "system/Error.h"

namespace sd {

void throwBadDataType(const char* function, int dataType) {
  fail<std::runtime_error>("bad data type: {} has no instance for {}", function,
                           DataTypeUtils::describe(DataTypeUtils::fromInt(dataType)));
}

void throwBadOpNumber(const char* function, int opNumber) {
  fail("[{}] argument 'opNum': there is no operation with number {}", function, opNumber);
}

}  // namespace sd
