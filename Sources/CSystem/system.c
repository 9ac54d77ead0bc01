#define _GNU_SOURCE
#include "CSystem.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <unistd.h>

static _Thread_local bool expects_refusal;

int lv_thread_create(pthread_t *thread, void *(*body)(void *), void *argument) {
    expects_refusal = true;
    int status = pthread_create(thread, NULL, body, argument);
    expects_refusal = false;
    return status;
}

bool lv_thread_refusal_is_expected(void) { return expects_refusal; }

#if defined(__linux__)

#include <sched.h>
#include <sys/xattr.h>

int lv_bound_processors(void) {
    cpu_set_t set;
    return sched_getaffinity(0, sizeof set, &set) == 0 ? CPU_COUNT(&set) : 0;
}

static const char acl_name[] = "system.posix_acl_access";

ssize_t lv_read_acl(int directory, const char *name, void *bytes, size_t size) {
    int file = openat(directory, name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
    if (file >= 0) {
        ssize_t length = fgetxattr(file, acl_name, bytes, size);
        close(file);
        return length;
    }
    // The access control list of an unreadable file can be read, but only through a path.
    char path[512];
    int length = snprintf(path, sizeof path, "/proc/self/fd/%d/%s", directory, name);
    return length < (int)sizeof path ? lgetxattr(path, acl_name, bytes, size) : -1;
}

bool lv_write_acl(int descriptor, const void *bytes, size_t size) {
    if (size > 0) return fsetxattr(descriptor, acl_name, bytes, size, 0) == 0;
    return fremovexattr(descriptor, acl_name) == 0 || errno == ENODATA || errno == ENOTSUP;
}

int lv_open_directory(int directory, const char *path, bool follows_link) {
    return openat(directory, path, O_PATH | O_DIRECTORY | O_CLOEXEC | (follows_link ? 0 : O_NOFOLLOW));
}

int lv_rename_new(int directory, const char *name, int new_directory, const char *new_name) {
    return renameat2(directory, name, new_directory, new_name, RENAME_NOREPLACE);
}

int lv_rename_exchange(int directory, const char *name, int other_directory, const char *other_name) {
    return renameat2(directory, name, other_directory, other_name, RENAME_EXCHANGE);
}

#elif defined(__APPLE__)

#include <mach-o/dyld.h>
#include <sys/acl.h>

// macOS has no CPU affinity.
int lv_bound_processors(void) { return 0; }

const char *lv_program_path(void) {
    static _Thread_local char path[4096];
    uint32_t size = sizeof path;
    return _NSGetExecutablePath(path, &size) == 0 ? path : NULL;
}

const char *lv_loaded_file(uint32_t index) { return index < _dyld_image_count() ? _dyld_get_image_name(index) : NULL; }

ssize_t lv_read_acl(int directory, const char *name, void *bytes, size_t size) {
    int file = openat(directory, name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
    if (file < 0) return -1;
    acl_t list = acl_get_fd(file);
    close(file);
    if (!list) return -1;
    ssize_t length = acl_copy_ext_native(bytes, list, (ssize_t)size);
    acl_free(list);
    return length;
}

bool lv_write_acl(int descriptor, const void *bytes, size_t size) {
    acl_t list = size > 0 ? acl_copy_int_native(bytes) : acl_init(0);
    if (!list) return false;
    bool is_done = acl_set_fd(descriptor, list) == 0 || (size == 0 && errno == ENOTSUP);
    acl_free(list);
    return is_done;
}

int lv_open_directory(int directory, const char *path, bool follows_link) {
    return openat(directory, path, O_RDONLY | O_DIRECTORY | O_CLOEXEC | (follows_link ? 0 : O_NOFOLLOW));
}

int lv_rename_new(int directory, const char *name, int new_directory, const char *new_name) {
    return renameatx_np(directory, name, new_directory, new_name, RENAME_EXCL);
}

int lv_rename_exchange(int directory, const char *name, int other_directory, const char *other_name) {
    return renameatx_np(directory, name, other_directory, other_name, RENAME_SWAP);
}

#else
#error "unsupported system: implement access control lists, opening of directories, renaming and CPU affinity here"
#endif
