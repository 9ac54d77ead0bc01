// libyaml as Swift imports it; no macros are missing so far.
#pragma once

#include <yaml.h>
