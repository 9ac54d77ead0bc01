// Cairo and Pango as Swift imports them; no macros are missing so far.
#pragma once

#include <cairo.h>
#include <cairo-svg.h>
#include <pango/pangocairo.h>
