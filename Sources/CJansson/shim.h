// Jansson as Swift imports it.
#pragma once

#include <jansson.h>
