// Functions under the names that ND4J's JNI library asks for.
//
// libjnind4jcpu.so was compiled against libnd4j's headers and calls members that NDForge has inline, or with another
// constness, and therefore under other names. The macros define a function under exactly the given name; `self` is the
// object of a member. On x86-64 and Arm64 a member is called like a function with the object as its first argument.
#ifndef NDFORGE_COMPAT_EXPORT_H
#define NDFORGE_COMPAT_EXPORT_H

#include <system/common.h>

#define SD_EXPORT_JOIN(a, b) a##b
#define SD_EXPORT_NAME(number) SD_EXPORT_JOIN(exported, number)
#define SD_EXPORT_AS(function, symbol, parameters, expression)                                   \
  [[gnu::visibility("default"), gnu::used]] decltype(auto) function parameters __asm__(#symbol); \
  decltype(auto) function parameters { return expression; }
/// The function `symbol` with these parameters, which returns the expression.
#define SD_EXPORT(symbol, parameters, expression) \
  SD_EXPORT_AS(SD_EXPORT_NAME(__COUNTER__), symbol, parameters, expression)
/// The member `symbol` of Class; the parameters follow the expression.
#define SD_MEMBER(Class, symbol, expression, ...) \
  SD_EXPORT(symbol, ([[maybe_unused]] Class * self __VA_OPT__(, ) __VA_ARGS__), expression)

#endif
