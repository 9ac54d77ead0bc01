// What the system offers and Swift's Glibc module leaves out, and what must be told in C because a signal's handler needs it.
#pragma once

#include <malloc.h>
#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

/// The processors to which this process is bound, or 0 if that is not known.
int lv_bound_processors(void);

/// `pthread_create` with default attributes. Returns an error number, or 0.
int lv_thread_create(pthread_t *thread, void *(*body)(void *), void *argument);

/// Whether the calling thread is within `lv_thread_create`, whose caller knows what to do if there are no more threads.
bool lv_thread_refusal_is_expected(void);

/// Makes malloc fill fresh memory, from now on and in the whole process, so that what a library reads there without having
/// written it is the same in every run. Does nothing where malloc cannot.
void lv_fill_fresh_memory(void);

/// The access control list of a file as the file system keeps it, at most `size` bytes. Returns its length, or -1 if there
/// is none.
ssize_t lv_read_acl(const char *path, void *bytes, size_t size);

/// Gives an open file such a list, or with no bytes takes the one that it has. Returns whether the file has it now.
bool lv_write_acl(int descriptor, const void *bytes, size_t size);

// A register of files and folders that must not outlast this process. It can be read at any instant, in the handler of a
// signal too.

/// Something in the register.
typedef struct lv_temporary lv_temporary;

/// Registers a path. Returns NULL if there is no memory.
lv_temporary *lv_temporary_add(const char *path);

/// Creates and opens a file of that name alone, and registers it, so that no end of the process comes in between. Returns
/// its descriptor, or -1 and `errno`.
int lv_temporary_create(const char *path, mode_t mode, lv_temporary **temporary);

/// Takes a path from the register and leaves it where it is.
void lv_temporary_forget(lv_temporary *temporary);

/// Removes all registered files, and then the folders that are empty. To be called once, before the process ends: creating
/// another file waits for that end.
void lv_temporaries_remove(void);
