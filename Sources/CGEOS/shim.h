// GEOS as Swift imports it: only the functions that take a context, which threads do not share.
#pragma once

#define GEOS_USE_ONLY_R_API
#include <geos_c.h>
