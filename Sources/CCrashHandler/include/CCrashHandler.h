// Crashes and refused threads of the loadervid executable. Linking this module replaces
// pthread_create for all libraries of the process, so a library must not depend on it.
#pragma once

/// Installs handlers that end the program with one line and exit code 70 after a crash, or when a
/// library cannot create a thread. The handlers remove registered temporary files. Where
/// memory is limited, output of libraries on standard error is discarded.
void lv_catch_crashes(void);
