/* Stands between one store's files and the system: writes down what reaches them, or lets it fail.
 *
 * FAULT_MATCH  only files whose path holds this text are looked at
 * FAULT_LOG    where every write, sync, cut, renaming and removal is written down, if anywhere:
 *              a head of 19 bytes (letter, lengths of path and of data, offset), path, data
 *
 * fault_arm(what, nth, error, lasting) lets the nth call of a sort from now on fail with that errno,
 * and all that follow when it is lasting; an error of 0 writes half of what was given instead.
 * fault_disarm() makes the disk whole again and returns how often something failed.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <limits.h>
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/types.h>
#include <sys/uio.h>
#include <unistd.h>
#include <fcntl.h>

enum sort { NOTHING, WRITE = 'W', SYNC = 'S', CUT = 'T', READ = 'R' };

static struct {
    enum sort sort;
    long nth, seen, failed;
    int error, lasting;
} fault;
static const char *match;
static int log_file = -1;
static pthread_mutex_t one_at_a_time = PTHREAD_MUTEX_INITIALIZER;

__attribute__((constructor)) static void begin(void) {
    const char *path = getenv("FAULT_LOG");
    match = getenv("FAULT_MATCH");
    if (path)
        log_file = syscall(SYS_openat, AT_FDCWD, path,
                           O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600);
}

void fault_arm(int sort, long nth, int error, int lasting) {
    pthread_mutex_lock(&one_at_a_time);
    fault.nth = nth;
    fault.seen = fault.failed = 0;
    fault.error = error;
    fault.lasting = lasting;
    fault.sort = sort;
    pthread_mutex_unlock(&one_at_a_time);
}

long fault_disarm(void) {
    pthread_mutex_lock(&one_at_a_time);
    fault.sort = NOTHING;
    pthread_mutex_unlock(&one_at_a_time);
    return fault.failed;
}

/* Whether this file is looked at; its path goes to `path`. */
static int watched(int file, char *path) {
    char link[64];
    ssize_t length;
    if (!match || file == log_file) return 0;
    snprintf(link, sizeof link, "/proc/self/fd/%d", file);
    length = readlink(link, path, PATH_MAX - 1);
    if (length < 0) return 0;
    path[length] = 0;
    return strstr(path, match) != NULL;
}

/* Whether this call is to fail; with the lock held. */
static int fails(enum sort sort) {
    if (fault.sort != sort) return 0;
    fault.seen++;
    if (fault.lasting ? fault.seen < fault.nth : fault.seen != fault.nth) return 0;
    fault.failed++;
    return 1;
}

static void note(char letter, const char *path, int64_t offset, const void *data, uint64_t size) {
    char head[19];
    uint16_t path_size = strlen(path);
    if (log_file < 0) return;
    head[0] = letter;
    memcpy(head + 1, &path_size, 2);
    memcpy(head + 3, &size, 8);
    memcpy(head + 11, &offset, 8);
    struct iovec parts[3] = {{head, 19}, {(void *)path, path_size}, {(void *)data, size}};
    if (syscall(SYS_writev, log_file, parts, 3) < 0) abort();
}

static ssize_t put(int file, const void *data, size_t size, int64_t offset, int placed) {
    char path[PATH_MAX];
    ssize_t done;
    int error;
    if (!watched(file, path))
        return placed ? syscall(SYS_pwrite64, file, data, size, offset)
                      : syscall(SYS_write, file, data, size);
    pthread_mutex_lock(&one_at_a_time);
    if (fails(WRITE)) {
        if (fault.error) {
            pthread_mutex_unlock(&one_at_a_time);
            errno = fault.error;
            return -1;
        }
        size /= 2;
    }
    if (!placed) offset = lseek(file, 0, fcntl(file, F_GETFL) & O_APPEND ? SEEK_END : SEEK_CUR);
    done = placed ? syscall(SYS_pwrite64, file, data, size, offset)
                  : syscall(SYS_write, file, data, size);
    error = errno;
    if (done > 0) note('W', path, offset, data, done);
    pthread_mutex_unlock(&one_at_a_time);
    errno = error;
    return done;
}

static int settle(int file, enum sort sort, long call, int64_t size) {
    char path[PATH_MAX];
    int done, error;
    if (!watched(file, path))
        return sort == CUT ? syscall(call, file, size) : syscall(call, file);
    pthread_mutex_lock(&one_at_a_time);
    if (fails(sort)) {
        pthread_mutex_unlock(&one_at_a_time);
        errno = fault.error ? fault.error : EIO;
        return -1;
    }
    done = sort == CUT ? syscall(call, file, size) : syscall(call, file);
    error = errno;
    if (done == 0) note(sort, path, size, NULL, 0);
    pthread_mutex_unlock(&one_at_a_time);
    errno = error;
    return done;
}

static int read_fails(int file) {
    char path[PATH_MAX];
    int failing;
    if (fault.sort != READ || !watched(file, path)) return 0;
    pthread_mutex_lock(&one_at_a_time);
    failing = fails(READ);
    pthread_mutex_unlock(&one_at_a_time);
    if (failing) errno = fault.error ? fault.error : EIO;
    return failing;
}

ssize_t write(int file, const void *data, size_t size) { return put(file, data, size, 0, 0); }
ssize_t pwrite(int file, const void *data, size_t size, off_t at) {
    return put(file, data, size, at, 1);
}
ssize_t pwrite64(int file, const void *data, size_t size, off64_t at) {
    return put(file, data, size, at, 1);
}
ssize_t pread(int file, void *data, size_t size, off_t at) {
    return read_fails(file) ? -1 : syscall(SYS_pread64, file, data, size, at);
}
ssize_t pread64(int file, void *data, size_t size, off64_t at) {
    return read_fails(file) ? -1 : syscall(SYS_pread64, file, data, size, at);
}
int fsync(int file) { return settle(file, SYNC, SYS_fsync, 0); }
int fdatasync(int file) { return settle(file, SYNC, SYS_fdatasync, 0); }
int ftruncate(int file, off_t size) { return settle(file, CUT, SYS_ftruncate, size); }
int ftruncate64(int file, off64_t size) { return settle(file, CUT, SYS_ftruncate, size); }

int unlink(const char *path) {
    int done = syscall(SYS_unlinkat, AT_FDCWD, path, 0), error = errno;
    if (done == 0 && match && strstr(path, match)) note('U', path, 0, NULL, 0);
    errno = error;
    return done;
}

int rename(const char *from, const char *to) {
    int done = syscall(SYS_renameat2, AT_FDCWD, from, AT_FDCWD, to, 0), error = errno;
    if (done == 0 && match && (strstr(from, match) || strstr(to, match)))
        note('N', from, 0, to, strlen(to));
    errno = error;
    return done;
}
