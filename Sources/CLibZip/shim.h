// libzip and zlib, on which it is built, as Swift imports them.
#pragma once

#include <zip.h>
#include <zlib.h>
