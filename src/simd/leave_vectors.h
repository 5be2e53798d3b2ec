// The end of code with wide vectors.
#ifndef NDFORGE_SRC_SIMD_LEAVE_VECTORS_H
#define NDFORGE_SRC_SIMD_LEAVE_VECTORS_H

namespace sd::simd {

/// Kernels that ran before may have left the upper halves of vector registers in use. Code for plain x86-64 then waits
/// for them in each instruction and takes up to five times as long. Call it before loops in such code, which has
/// nothing in the upper halves.
inline void leaveVectors() {
#if defined(__x86_64__)
  if (__builtin_cpu_supports("avx")) __asm__ volatile("vzeroupper" ::: "memory");
#endif
}

}  // namespace sd::simd

#endif
