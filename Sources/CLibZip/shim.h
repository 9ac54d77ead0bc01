// libzip as Swift imports it.
#pragma once

#include <zip.h>
