// Cairo and Pango as Swift imports them; no macros are missing so far.
#pragma once

#include <cairo-svg.h>
#include <cairo.h>
#include <fontconfig/fontconfig.h>
#include <hb-ot.h>
#include <pango/pangocairo.h>
