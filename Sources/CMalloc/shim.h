// glibc's malloc options, which Swift's own Glibc module leaves out.
#pragma once

#include <malloc.h>
