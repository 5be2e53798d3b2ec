// system/config.h under the name that existing programs include.
#ifndef NDFORGE_CONFIG_H
#define NDFORGE_CONFIG_H

#include <system/config.h>

#endif
