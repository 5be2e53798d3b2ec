#include <helpers/Sqrtm.h>

#include "linalg/MatrixRoot.h"
#include "linalg/MatrixView.h"

namespace sd::ops::helpers {

template <typename T>
void Sqrtm<T>::calc(const NDArray& in, NDArray& out) {
  linalg::requireMatrix("Sqrtm", in, true);
  linalg::requireType<T>("Sqrtm", in);
  linalg::requireType<T>("Sqrtm", out);
  if (!out.isSameShape(in))
    fail("[Sqrtm] the output has shape {}, but the input has shape {}", ShapeUtils::shapeAsString(&out),
         ShapeUtils::shapeAsString(&in));
  if (!in.isFinite()) fail("[Sqrtm] the matrix contains values that are not finite");
  NDArray work = in.dup('c');
  if (!linalg::realRoot(work.bufferAsT<T>(), in.sizeAt(0)))
    fail<std::runtime_error>("[Sqrtm] the matrix has no real principal root");
  out.assign(work);
}

template class Sqrtm<float>;
template class Sqrtm<double>;

}  // namespace sd::ops::helpers
