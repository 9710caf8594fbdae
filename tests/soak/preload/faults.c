/* Stands between a process and the C library for the calls that change files below one folder
 * (MEMTUI_FAULTS_ROOT), loaded by LD_PRELOAD. It records each call with its data, makes the Nth
 * one fail or fall short, or ends the process around it. Nothing happens until
 * memtui_faults_arm is called, so that one process can fork many that are armed differently.
 *
 * Linux only. What is written through a memory mapping is not seen: SQLite writes only its -shm
 * files so, which are rebuilt. */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <pthread.h>
#include <signal.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>

/* How a call is counted; tests/soak/preload/__init__.py has the same numbers. */
enum { WRITES = 1, MAKES = 2, NAMES = 4, SYNCS = 8, REST = 16 };
/* What happens to the call whose number comes up. */
enum { PASS, FAIL, SHORT, KILL_BEFORE, KILL_WITHIN, KILL_AFTER };
/* Records; tests/soak/preload/record.py has the same numbers. */
enum { CREATE = 1, WRITE, TRUNCATE, RENAME, EXCHANGE, LINK, UNLINK, RMDIR, MKDIR, CHMOD, SYNC, NOTE };

struct head {
    uint32_t call, mode;
    uint64_t node;
    int64_t at;
    uint32_t one, two, data, zero;
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static char root[PATH_MAX];
static size_t root_length;
static int armed, action, classes, failure, lasting, log_file = -1;
static long counted, met, number;

void memtui_faults_arm(int what, int counts, int code, long nth, int from_then_on, int log)
{
    const char *named = getenv("MEMTUI_FAULTS_ROOT");
    if (named == NULL || realpath(named, root) == NULL)
        abort();
    root_length = strlen(root);
    action = what;
    classes = counts;
    failure = code;
    number = nth;
    lasting = from_then_on;
    log_file = log;
    counted = met = 0;
    armed = 1;
}

long memtui_faults_disarm(void)
{
    armed = 0;
    return counted;
}

/* How many calls failed or fell short. */
long memtui_faults_met(void)
{
    return met;
}

/* -- which calls are meant */

static int below(const char *path)
{
    return strncmp(path, root, root_length) == 0 && (path[root_length] == '/' || path[root_length] == 0);
}

static int path_of(int fd, char *path)
{
    char link[64];
    snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
    ssize_t length = readlink(link, path, PATH_MAX - 1);
    if (length < 0)
        return 0;
    path[length] = 0;
    return 1;
}

static int meant_fd(int fd)
{
    char path[PATH_MAX];
    return armed && path_of(fd, path) && below(path);
}

/* Whether `name` lies below the root; its whole path. Paths are taken as they are spelled. */
static int meant(int folder, const char *name, char *path)
{
    if (!armed || name == NULL)
        return 0;
    if (name[0] == '/') {
        if (strlen(name) >= PATH_MAX)
            return 0;
        strcpy(path, name);
    } else {
        char base[PATH_MAX];
        int known = folder == AT_FDCWD ? getcwd(base, sizeof base) != NULL : path_of(folder, base);
        if (!known || snprintf(path, PATH_MAX, "%s/%s", base, name) >= PATH_MAX)
            return 0;
    }
    return below(path);
}

/* -- what happens to them */

static int turn(int class)
{
    if (!(classes & class))
        return PASS;
    counted++;
    if (counted == number)
        return action;
    if (lasting && counted > number && (action == FAIL || action == SHORT))
        return FAIL;
    return PASS;
}

static void end(void)
{
    syscall(SYS_kill, getpid(), SIGKILL);
}

static long refused(void)
{
    met++;
    errno = failure;
    return -1;
}

static void put_down(int call, uint64_t node, int64_t at, unsigned mode, const char *one, const char *two,
                     const void *data, size_t length)
{
    if (log_file < 0)
        return;
    int before = errno;
    struct head head = {call, mode, node, at, 0, 0, (uint32_t)length, 0};
    head.one = one == NULL ? 0 : strlen(one);
    head.two = two == NULL ? 0 : strlen(two);
    struct iovec parts[] = {{&head, sizeof head},
                            {(void *)one, head.one},
                            {(void *)two, head.two},
                            {(void *)data, length}};
    ssize_t whole = sizeof head + head.one + head.two + length;
    if (syscall(SYS_writev, log_file, parts, 4) != whole)
        abort();
    errno = before;
}

static uint64_t node_of(int fd)
{
    struct stat status;
    return fstat(fd, &status) == 0 ? status.st_ino : 0;
}

static uint64_t node_at(const char *path)
{
    struct stat status;
    return lstat(path, &status) == 0 ? status.st_ino : 0;
}

void memtui_faults_note(const char *text)
{
    pthread_mutex_lock(&lock);
    put_down(NOTE, 0, 0, 0, NULL, NULL, text, strlen(text));
    pthread_mutex_unlock(&lock);
}

/* The frame of every call that is meant: its turn, the call itself, and the record if it went well. */
#define AROUND(CLASS, CALL, RECORD)                                                                          \
    do {                                                                                                     \
        pthread_mutex_lock(&lock);                                                                           \
        int what = turn(CLASS);                                                                              \
        if (what == KILL_BEFORE || what == KILL_WITHIN)                                                      \
            end();                                                                                           \
        long result = what == FAIL || what == SHORT ? refused() : (CALL);                                    \
        if (result >= 0) {                                                                                   \
            RECORD;                                                                                          \
        }                                                                                                    \
        if (what == KILL_AFTER)                                                                              \
            end();                                                                                           \
        pthread_mutex_unlock(&lock);                                                                         \
        return result;                                                                                       \
    } while (0)

/* -- opening */

static int opening(int folder, const char *name, int flags, mode_t mode)
{
    char path[PATH_MAX];
    if (!(flags & (O_CREAT | O_TRUNC)) || !meant(folder, name, path))
        return syscall(SYS_openat, folder, name, flags, mode);
    struct stat before;
    int there = lstat(path, &before) == 0;
    if (there && !(flags & O_TRUNC))
        return syscall(SYS_openat, folder, name, flags, mode);
    AROUND(there ? REST : MAKES, syscall(SYS_openat, folder, name, flags, mode), {
        struct stat now;
        fstat(result, &now);
        if (there)
            put_down(TRUNCATE, now.st_ino, 0, 0, NULL, NULL, NULL, 0);
        else
            put_down(CREATE, now.st_ino, 0, now.st_mode & 07777, path, NULL, NULL, 0);
    });
}

#define MODE_OF(flags, mode)                                                                                 \
    mode_t mode = 0;                                                                                         \
    if ((flags) & (O_CREAT | O_TMPFILE)) {                                                                   \
        va_list more;                                                                                        \
        va_start(more, flags);                                                                               \
        mode = va_arg(more, int);                                                                            \
        va_end(more);                                                                                        \
    }

int open(const char *name, int flags, ...)
{
    MODE_OF(flags, mode)
    return opening(AT_FDCWD, name, flags, mode);
}

int open64(const char *name, int flags, ...)
{
    MODE_OF(flags, mode)
    return opening(AT_FDCWD, name, flags, mode);
}

int openat(int folder, const char *name, int flags, ...)
{
    MODE_OF(flags, mode)
    return opening(folder, name, flags, mode);
}

int openat64(int folder, const char *name, int flags, ...)
{
    MODE_OF(flags, mode)
    return opening(folder, name, flags, mode);
}

/* -- contents */

/* `at` is -1 for "where the file stands". */
static ssize_t writing(int fd, const void *data, size_t length, off_t at)
{
    if (!meant_fd(fd))
        return at < 0 ? syscall(SYS_write, fd, data, length) : syscall(SYS_pwrite64, fd, data, length, at);
    pthread_mutex_lock(&lock);
    int what = turn(WRITES);
    if (what == KILL_BEFORE)
        end();
    size_t part = what == SHORT || what == KILL_WITHIN ? length / 2 : length;
    if (what == SHORT && part == 0 && !lasting)
        part = length; /* a single byte cannot fall short */
    if (part > 0 && part < length)
        met++;
    ssize_t done;
    if (what == FAIL || (what == SHORT && part == 0))
        done = refused();
    else if (at < 0)
        done = syscall(SYS_write, fd, data, part);
    else
        done = syscall(SYS_pwrite64, fd, data, part, at);
    if (done >= 0)
        put_down(WRITE, node_of(fd), at < 0 ? lseek(fd, 0, SEEK_CUR) - done : at, 0, NULL, NULL, data, done);
    if (what == KILL_WITHIN || what == KILL_AFTER)
        end();
    pthread_mutex_unlock(&lock);
    return done;
}

ssize_t write(int fd, const void *data, size_t length)
{
    return writing(fd, data, length, -1);
}

ssize_t pwrite(int fd, const void *data, size_t length, off_t at)
{
    return writing(fd, data, length, at);
}

ssize_t pwrite64(int fd, const void *data, size_t length, off_t at)
{
    return writing(fd, data, length, at);
}

ssize_t writev(int fd, const struct iovec *parts, int count)
{
    if (!meant_fd(fd))
        return syscall(SYS_writev, fd, parts, count);
    size_t length = 0, at = 0;
    for (int part = 0; part < count; part++)
        length += parts[part].iov_len;
    char *whole = malloc(length + 1);
    if (whole == NULL)
        abort();
    for (int part = 0; part < count; at += parts[part++].iov_len)
        memcpy(whole + at, parts[part].iov_base, parts[part].iov_len);
    ssize_t done = writing(fd, whole, length, -1);
    free(whole);
    return done;
}

int ftruncate(int fd, off_t length)
{
    if (!meant_fd(fd))
        return syscall(SYS_ftruncate, fd, length);
    AROUND(REST, syscall(SYS_ftruncate, fd, length),
           put_down(TRUNCATE, node_of(fd), length, 0, NULL, NULL, NULL, 0));
}

int ftruncate64(int fd, off_t length)
{
    return ftruncate(fd, length);
}

/* fdatasync keeps the length of a file, too, which is all that is looked at here besides its bytes. */
static int syncing(int fd, long call)
{
    if (!meant_fd(fd))
        return syscall(call, fd);
    AROUND(SYNCS, syscall(call, fd), put_down(SYNC, node_of(fd), 0, 0, NULL, NULL, NULL, 0));
}

int fsync(int fd)
{
    return syncing(fd, SYS_fsync);
}

int fdatasync(int fd)
{
    return syncing(fd, SYS_fdatasync);
}

/* -- modes */

int fchmod(int fd, mode_t mode)
{
    if (!meant_fd(fd))
        return syscall(SYS_fchmod, fd, mode);
    AROUND(REST, syscall(SYS_fchmod, fd, mode),
           put_down(CHMOD, node_of(fd), 0, mode, NULL, NULL, NULL, 0));
}

int fchmodat(int folder, const char *name, mode_t mode, int flags)
{
    char path[PATH_MAX];
    (void)flags;
    if (!meant(folder, name, path))
        return syscall(SYS_fchmodat, folder, name, mode);
    AROUND(REST, syscall(SYS_fchmodat, folder, name, mode),
           put_down(CHMOD, node_at(path), 0, mode, NULL, NULL, NULL, 0));
}

int chmod(const char *name, mode_t mode)
{
    return fchmodat(AT_FDCWD, name, mode, 0);
}

/* -- names */

int renameat2(int from, const char *old, int to, const char *new, unsigned flags)
{
    char one[PATH_MAX], two[PATH_MAX];
    int first = meant(from, old, one), second = meant(to, new, two);
    if (!first && !second)
        return syscall(SYS_renameat2, from, old, to, new, flags);
    if (!first || !second)
        abort(); /* a file that crosses the border cannot be followed */
    AROUND(NAMES, syscall(SYS_renameat2, from, old, to, new, flags),
           put_down(flags & RENAME_EXCHANGE ? EXCHANGE : RENAME, 0, 0, 0, one, two, NULL, 0));
}

int renameat(int from, const char *old, int to, const char *new)
{
    return renameat2(from, old, to, new, 0);
}

int rename(const char *old, const char *new)
{
    return renameat2(AT_FDCWD, old, AT_FDCWD, new, 0);
}

int linkat(int from, const char *old, int to, const char *new, int flags)
{
    char one[PATH_MAX], two[PATH_MAX];
    int first = meant(from, old, one);
    if (!meant(to, new, two))
        return syscall(SYS_linkat, from, old, to, new, flags);
    if (!first)
        abort();
    AROUND(MAKES, syscall(SYS_linkat, from, old, to, new, flags),
           put_down(LINK, 0, 0, 0, one, two, NULL, 0));
}

int link(const char *old, const char *new)
{
    return linkat(AT_FDCWD, old, AT_FDCWD, new, 0);
}

int unlinkat(int folder, const char *name, int flags)
{
    char path[PATH_MAX];
    if (!meant(folder, name, path))
        return syscall(SYS_unlinkat, folder, name, flags);
    AROUND(NAMES, syscall(SYS_unlinkat, folder, name, flags),
           put_down(flags & AT_REMOVEDIR ? RMDIR : UNLINK, 0, 0, 0, path, NULL, NULL, 0));
}

int unlink(const char *name)
{
    return unlinkat(AT_FDCWD, name, 0);
}

int rmdir(const char *name)
{
    return unlinkat(AT_FDCWD, name, AT_REMOVEDIR);
}

int mkdirat(int folder, const char *name, mode_t mode)
{
    char path[PATH_MAX];
    if (!meant(folder, name, path))
        return syscall(SYS_mkdirat, folder, name, mode);
    AROUND(MAKES, syscall(SYS_mkdirat, folder, name, mode), {
        struct stat now;
        lstat(path, &now);
        put_down(MKDIR, now.st_ino, 0, now.st_mode & 07777, path, NULL, NULL, 0);
    });
}

int mkdir(const char *name, mode_t mode)
{
    return mkdirat(AT_FDCWD, name, mode);
}
