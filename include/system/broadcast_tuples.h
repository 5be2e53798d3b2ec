// The numbers that one operation has in the scalar, pairwise and broadcast groups; see ops/BroadcastOpsTuple.h.
#ifndef NDFORGE_SYSTEM_BROADCAST_TUPLES_H
#define NDFORGE_SYSTEM_BROADCAST_TUPLES_H

#define BROADCAST(NAME) sd::BroadcastOpsTuple::custom(sd::scalar::NAME, sd::pairwise::NAME, sd::broadcast::NAME)
#define BROADCAST_BOOL(NAME) \
  sd::BroadcastBoolOpsTuple::custom(sd::scalar::NAME, sd::pairwise::NAME, sd::broadcast::NAME)

#endif
