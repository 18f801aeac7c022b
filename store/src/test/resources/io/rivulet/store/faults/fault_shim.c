/*
 * Makes calls of a process to the file system fail or wait, on order. Preloaded (LD_PRELOAD) by tests; see FaultShim.java.
 *
 * RIVULET_FAULTS        the control file, mapped into memory. Byte 0: generation (8, native order), raised after each change
 *                       of the orders. Byte 8: how many calls have failed (8). Byte 64 and on: the orders, a line each.
 * RIVULET_FAULTS_BELOW  only calls on paths that begin with this are touched.
 *
 * Orders:  fail CALL ERRNO SKIP COUNT PART    the calls after the first SKIP fail, COUNT of them (-1: all), on paths that
 *                                             contain PART ("*": any)
 *          slow BYTES_PER_SECOND              writes take at least as long as a disk of this speed needs
 *          wait CALL MILLIS                   each such call takes so much longer
 * CALLs are named as in FaultShim.Call; to open a file that is there is OPEN, whatever the flags. A write that is told to fail writes nothing.
 */
#define _GNU_SOURCE
#include <dirent.h>
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <sys/uio.h>
#include <time.h>
#include <unistd.h>

enum { CONTROL_BYTES = 4096, ORDERS_AT = 64, MAX_RULES = 16 };

struct rule {
  char call[32];
  int error;
  long skip;
  long count;
  char part[64];
};

static struct rule rules[MAX_RULES];
static int rule_count;
static char waiting_call[32];
static long wait_millis;
static long bytes_per_second;
static struct timespec disk_free_at;
static volatile uint64_t *control;
static volatile uint64_t seen_generation;
static char below[PATH_MAX];
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_mutex_t disk_lock = PTHREAD_MUTEX_INITIALIZER;

#define REAL(type, name) \
  static type real; \
  if (!real) real = (type)dlsym(RTLD_NEXT, name)

__attribute__((constructor)) static void begin(void) {
  const char *path = getenv("RIVULET_FAULTS");
  const char *prefix = getenv("RIVULET_FAULTS_BELOW");
  if (!path || !prefix) return;
  snprintf(below, sizeof below, "%s", prefix);
  int fd = open(path, O_RDWR | O_CLOEXEC);
  if (fd < 0) return;
  void *mapped = mmap(NULL, CONTROL_BYTES, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
  close(fd);
  if (mapped != MAP_FAILED) control = mapped;
}

/* With the lock held. */
static void read_orders(void) {
  char text[CONTROL_BYTES - ORDERS_AT + 1];
  memcpy(text, (const char *)control + ORDERS_AT, sizeof text - 1);
  text[sizeof text - 1] = 0;
  rule_count = 0;
  bytes_per_second = 0;
  wait_millis = 0;
  char *rest;
  for (char *line = strtok_r(text, "\n", &rest); line; line = strtok_r(NULL, "\n", &rest)) {
    struct rule r;
    if (sscanf(line, "slow %ld", &bytes_per_second) == 1) continue;
    if (sscanf(line, "wait %31s %ld", waiting_call, &wait_millis) == 2) continue;
    if (rule_count < MAX_RULES
        && sscanf(line, "fail %31s %d %ld %ld %63s", r.call, &r.error, &r.skip, &r.count, r.part) == 5) {
      rules[rule_count++] = r;
    }
  }
}

static int has_orders(void) {
  if (!control) return 0;
  if (control[0] != seen_generation) {
    pthread_mutex_lock(&lock);
    seen_generation = control[0];
    read_orders();
    pthread_mutex_unlock(&lock);
  }
  return rule_count > 0 || bytes_per_second > 0 || wait_millis > 0;
}

static int concerns(const char *path) { return strncmp(path, below, strlen(below)) == 0; }

/* The error that the next such call on this path meets, or 0. */
static int error_for(const char *call, const char *path) {
  int error = 0;
  if (!concerns(path)) return 0;
  if (wait_millis > 0 && !strcmp(waiting_call, call)) {
    struct timespec wait = {wait_millis / 1000, wait_millis % 1000 * 1000000};
    nanosleep(&wait, NULL);
  }
  pthread_mutex_lock(&lock);
  for (int i = 0; i < rule_count && !error; i++) {
    struct rule *r = &rules[i];
    if (strcmp(r->call, call) || (strcmp(r->part, "*") && !strstr(path, r->part))) continue;
    if (r->skip > 0) {
      r->skip--;
    } else if (r->count) {
      if (r->count > 0) r->count--;
      error = r->error;
    }
  }
  pthread_mutex_unlock(&lock);
  if (error) __atomic_add_fetch(&control[1], 1, __ATOMIC_SEQ_CST);
  return error;
}

static int fails_path(const char *call, const char *path) {
  if (!has_orders()) return 0;
  int error = error_for(call, path);
  if (error) errno = error;
  return error;
}

/* Needs no descriptor, so it works where there is none left. */
static int path_of(int fd, char *path, size_t size) {
  char link[64];
  snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
  ssize_t n = readlink(link, path, size - 1);
  if (n < 0) return 0;
  path[n] = 0;
  return 1;
}

static int fails_fd(const char *call, int fd) {
  char path[PATH_MAX];
  int saved = errno;
  int error = has_orders() && path_of(fd, path, sizeof path) ? error_for(call, path) : 0;
  errno = error ? error : saved;
  return error;
}

/* One disk: writes of all threads stand in a row. */
static void take_time(int fd, ssize_t bytes) {
  char path[PATH_MAX];
  long rate = bytes_per_second;
  if (rate <= 0 || bytes <= 0 || !path_of(fd, path, sizeof path) || !concerns(path)) return;
  int saved = errno;
  struct timespec now, until;
  clock_gettime(CLOCK_MONOTONIC, &now);
  pthread_mutex_lock(&disk_lock);
  if (disk_free_at.tv_sec < now.tv_sec || (disk_free_at.tv_sec == now.tv_sec && disk_free_at.tv_nsec < now.tv_nsec))
    disk_free_at = now;
  int64_t nanos = disk_free_at.tv_nsec + (int64_t)((double)bytes / rate * 1e9);
  disk_free_at.tv_sec += nanos / 1000000000;
  disk_free_at.tv_nsec = nanos % 1000000000;
  until = disk_free_at;
  pthread_mutex_unlock(&disk_lock);
  while (clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &until, NULL) == EINTR) {}
  errno = saved;
}

/* ---- files ---- */

static int open_as(const char *name, const char *path, int flags, mode_t mode) {
  typedef int (*fn)(const char *, int, ...);
  int creates = (flags & O_CREAT) && faccessat(AT_FDCWD, path, F_OK, AT_SYMLINK_NOFOLLOW) != 0;
  errno = 0;
  if (control && fails_path(creates ? "CREATE" : "OPEN", path)) return -1;
  fn real = (fn)dlsym(RTLD_NEXT, name);
  return real(path, flags, mode);
}

#define MODE_FROM(flags) \
  mode_t mode = 0; \
  if ((flags) & (O_CREAT | O_TMPFILE)) { \
    va_list more; \
    va_start(more, flags); \
    mode = va_arg(more, mode_t); \
    va_end(more); \
  }

int open(const char *path, int flags, ...) {
  MODE_FROM(flags)
  return open_as("open", path, flags, mode);
}

int open64(const char *path, int flags, ...) {
  MODE_FROM(flags)
  return open_as("open64", path, flags, mode);
}

DIR *opendir(const char *path) {
  typedef DIR *(*fn)(const char *);
  REAL(fn, "opendir");
  return fails_path("LIST", path) ? NULL : real(path);
}

DIR *fdopendir(int fd) {
  typedef DIR *(*fn)(int);
  REAL(fn, "fdopendir");
  return fails_fd("LIST", fd) ? NULL : real(fd);
}

int mkdir(const char *path, mode_t mode) {
  typedef int (*fn)(const char *, mode_t);
  REAL(fn, "mkdir");
  return fails_path("CREATE", path) ? -1 : real(path, mode);
}

int rename(const char *from, const char *to) {
  typedef int (*fn)(const char *, const char *);
  REAL(fn, "rename");
  return fails_path("RENAME", from) ? -1 : real(from, to);
}

int unlink(const char *path) {
  typedef int (*fn)(const char *);
  REAL(fn, "unlink");
  return fails_path("DELETE", path) ? -1 : real(path);
}

int statvfs64(const char *path, struct statvfs64 *out) {
  typedef int (*fn)(const char *, struct statvfs64 *);
  REAL(fn, "statvfs64");
  return fails_path("USABLE", path) ? -1 : real(path, out);
}

/* ---- what is open ---- */

ssize_t write(int fd, const void *bytes, size_t count) {
  typedef ssize_t (*fn)(int, const void *, size_t);
  REAL(fn, "write");
  if (fails_fd("WRITE", fd)) return -1;
  ssize_t n = real(fd, bytes, count);
  take_time(fd, n);
  return n;
}

ssize_t writev(int fd, const struct iovec *parts, int count) {
  typedef ssize_t (*fn)(int, const struct iovec *, int);
  REAL(fn, "writev");
  if (fails_fd("WRITE", fd)) return -1;
  ssize_t n = real(fd, parts, count);
  take_time(fd, n);
  return n;
}

ssize_t pwrite64(int fd, const void *bytes, size_t count, off64_t at) {
  typedef ssize_t (*fn)(int, const void *, size_t, off64_t);
  REAL(fn, "pwrite64");
  if (fails_fd("WRITE", fd)) return -1;
  ssize_t n = real(fd, bytes, count, at);
  take_time(fd, n);
  return n;
}

ssize_t read(int fd, void *bytes, size_t count) {
  typedef ssize_t (*fn)(int, void *, size_t);
  REAL(fn, "read");
  return fails_fd("READ", fd) ? -1 : real(fd, bytes, count);
}

ssize_t pread64(int fd, void *bytes, size_t count, off64_t at) {
  typedef ssize_t (*fn)(int, void *, size_t, off64_t);
  REAL(fn, "pread64");
  return fails_fd("READ", fd) ? -1 : real(fd, bytes, count, at);
}

int ftruncate64(int fd, off64_t size) {
  typedef int (*fn)(int, off64_t);
  REAL(fn, "ftruncate64");
  return fails_fd("TRUNCATE", fd) ? -1 : real(fd, size);
}

static const char *force_of(int fd) {
  struct stat s;
  return fstat(fd, &s) == 0 && S_ISDIR(s.st_mode) ? "SYNC_DIRECTORY" : "FORCE";
}

int fsync(int fd) {
  typedef int (*fn)(int);
  REAL(fn, "fsync");
  return fails_fd(force_of(fd), fd) ? -1 : real(fd);
}

int fdatasync(int fd) {
  typedef int (*fn)(int);
  REAL(fn, "fdatasync");
  return fails_fd(force_of(fd), fd) ? -1 : real(fd);
}
