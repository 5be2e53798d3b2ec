// Recognises handwritten digits by the nearest of ten mean images: nearest_mean [folder of the data].
#include <array/NDArrayFile.h>
#include <nd/nd.h>

#include <cstdio>
#include <string>

int main(int count, char** arguments) {
  using namespace sd;
  const std::string folder = count > 1 ? arguments[1] : "examples/data";
  NDArray pixels = loadNpy(folder + "/optdigits.npy").reshape('c', {-1, 64}).cast(FLOAT32);
  NDArray labels = loadNpy(folder + "/optdigits_labels.npy").cast(INT64);

  NDArray means = nd::unsorted_segment_mean(pixels, labels, {.numSegments = 10});
  NDArray likeness = nd::matmul(pixels, nd::standardize(means, {.axis = {1}}), {.transposeB = true});
  NDArray found = nd::argmax(likeness, {.axis = {1}});
  NDArray hits = nd::equals(found, labels).cast(INT64);
  std::printf("%lld of %lld digits recognised\n", hits.sumNumber().e<long long>(0), labels.lengthOf());
}
