// Cairo and Pango as Swift imports them; no macros are missing so far.
#pragma once

#include <cairo-svg.h>
#include <cairo.h>
#include <pango/pangocairo.h>
