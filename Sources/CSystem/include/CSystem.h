// System functions that Swift's module of the C library lacks, and code that must be C because a
// signal handler calls it.
#pragma once

#if defined(__linux__)
#include <malloc.h>
#elif defined(__APPLE__)
#include <malloc/malloc.h>
#endif
#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

/// Returns the number of processors in this process's CPU affinity mask, or 0 if it is unknown.
int lv_bound_processors(void);

#if defined(__APPLE__)
/// Returns the path with which the program was started, or NULL if it is unknown. It is valid until
/// the next call.
const char *lv_program_path(void);

/// Returns the path of the loaded library or program at an index from 0, or NULL past the last one.
const char *lv_loaded_file(uint32_t index);
#endif

/// Calls `pthread_create` with default attributes. Returns 0 or an error number.
int lv_thread_create(pthread_t *thread, void *(*body)(void *), void *argument);

/// Returns true if the calling thread is in `lv_thread_create`, whose caller handles a refused
/// thread.
bool lv_thread_refusal_is_expected(void);

/// Reads the access control list of a file in a directory, in the file system's format, into at
/// most `size` bytes. Does not follow links. Returns the length, or -1 if the file has no list.
ssize_t lv_read_acl(int directory, const char *name, void *bytes, size_t size);

/// Sets the access control list of an open file, or removes it if `bytes` is NULL. Returns true if
/// the file now has the list.
bool lv_write_acl(int descriptor, const void *bytes, size_t size);

/// Opens a directory for access to names in it, without needing the right to list it. Refuses a
/// link as the last component of the path unless `follows_link` is true. Returns a descriptor, or
/// -1 and sets `errno`.
int lv_open_directory(int directory, const char *path, bool follows_link);

/// Renames a file unless the new name exists. Returns 0, or -1 and sets `errno`: EINVAL, ENOSYS or
/// ENOTSUP if the file system cannot do both in one step.
int lv_rename_new(int directory, const char *name, int new_directory, const char *new_name);

/// Exchanges two names in one step. Returns 0, or -1 and sets `errno`: EINVAL, ENOSYS or ENOTSUP if
/// the file system cannot.
int lv_rename_exchange(int directory, const char *name, int other_directory, const char *other_name);

// A register of files and directories that must not outlive the process. It can be read at any
// time, even in a signal handler.

/// An entry of the register.
typedef struct lv_temporary lv_temporary;

/// Registers a name in an open directory, which must stay open until the entry is forgotten. With
/// AT_FDCWD, the name is a path. Returns NULL if memory runs out.
lv_temporary *lv_temporary_add(int directory, const char *name);

/// Creates, opens and registers a new file in one step, so that the process cannot end in between.
/// Returns its descriptor, or -1 and sets `errno`.
int lv_temporary_create(int directory, const char *name, mode_t mode, lv_temporary **temporary);

/// Removes an entry from the register. The file stays.
void lv_temporary_forget(lv_temporary *temporary);

/// Removes all registered files, and then the empty directories. Call it once, before the process
/// ends: it blocks the creation of further files until then.
void lv_temporaries_remove(void);
