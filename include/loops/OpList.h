// Iterates over the lists of loops/legacy_ops.h: SD_FOR_EACH_OP(MACRO, ADD_OPS) expands to MACRO(number, functor) for
// each entry.
#ifndef NDFORGE_LOOPS_OPLIST_H
#define NDFORGE_LOOPS_OPLIST_H

#include <loops/legacy_ops.h>
#include <system/config.h>

// Each level rescans its argument four times, which is enough for lists of up to 256 entries.
#define SD_RESCAN(...) SD_RESCAN_3(SD_RESCAN_3(SD_RESCAN_3(SD_RESCAN_3(__VA_ARGS__))))
#define SD_RESCAN_3(...) SD_RESCAN_2(SD_RESCAN_2(SD_RESCAN_2(SD_RESCAN_2(__VA_ARGS__))))
#define SD_RESCAN_2(...) SD_RESCAN_1(SD_RESCAN_1(SD_RESCAN_1(SD_RESCAN_1(__VA_ARGS__))))
#define SD_RESCAN_1(...) SD_RESCAN_0(SD_RESCAN_0(SD_RESCAN_0(SD_RESCAN_0(__VA_ARGS__))))
#define SD_RESCAN_0(...) __VA_ARGS__
#define SD_PARENTHESES ()
#define SD_FOR_EACH_OP(MACRO, ...) __VA_OPT__(SD_RESCAN(SD_NEXT_OP(MACRO, __VA_ARGS__)))
#define SD_NEXT_OP(MACRO, ENTRY, ...) MACRO ENTRY __VA_OPT__(SD_NEXT_OP_AGAIN SD_PARENTHESES(MACRO, __VA_ARGS__))
#define SD_NEXT_OP_AGAIN() SD_NEXT_OP

#endif
