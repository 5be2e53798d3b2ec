// The operations that compute gradients of activations: relu_bp and others.
#ifndef NDFORGE_OPS_DECLARABLE_HELPERS_LEGACY_HELPERS_H
#define NDFORGE_OPS_DECLARABLE_HELPERS_LEGACY_HELPERS_H

#include <ops/declarable/headers/activations.h>

#endif
