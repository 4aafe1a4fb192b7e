// SPDX-License-Identifier: Apache-2.0
import Foundation
import TestSupport

/// A library that stands between a program and the kernel and writes down all that is done to one folder, in order: the
/// writes with their bytes, the syncs, the names, and what the program says on its output.
///
/// From this it is known for every moment, not only for the one at which the program ended, what was synced by then.
enum RecordedDisk {
  private static let source = """
    #define _GNU_SOURCE
    #include <dlfcn.h>
    #include <errno.h>
    #include <fcntl.h>
    #include <stdarg.h>
    #include <stdio.h>
    #include <stdlib.h>
    #include <string.h>
    #include <sys/stat.h>
    #include <sys/syscall.h>
    #include <sys/types.h>
    #include <sys/uio.h>
    #include <unistd.h>

    static int record = -1;
    static const char *folder;
    static size_t length;

    __attribute__((constructor)) static void begin(void) {
      const char *path = getenv("RECORD_TO");
      folder = getenv("RECORD_FOLDER");
      length = folder ? strlen(folder) : 0;
      if (path && folder) record = syscall(SYS_openat, AT_FDCWD, path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600);
    }

    static void note(char kind, long inode, long number, const void *bytes, size_t count) {
      int before = errno;
      long head[4] = {kind, inode, number, count};
      struct iovec parts[2] = {{head, sizeof head}, {(void *)bytes, count}};
      if (record >= 0 && writev(record, parts, 2) != (ssize_t)(sizeof head + count)) abort();
      errno = before;
    }

    enum place { elsewhere, inside, the_folder, its_parent };
    static enum place place_of(const char *path) {
      size_t count = strlen(path);
      if (record < 0) return elsewhere;
      if (count > length && !strncmp(path, folder, length) && path[length] == '/') return inside;
      if (count == length && !strcmp(path, folder)) return the_folder;
      return count == (size_t)(strrchr(folder, '/') - folder) && !strncmp(path, folder, count) ? its_parent : elsewhere;
    }
    static const char *name_of(const char *path) { return path + length + 1; }

    static enum place place_of_file(int file, long *inode) {
      char link[40], path[4096];
      struct stat status;
      int before = errno;
      snprintf(link, sizeof link, "/proc/self/fd/%d", file);
      ssize_t count = readlink(link, path, sizeof path - 1);
      if (count < 0 || fstat(file, &status) != 0) count = 0;
      path[count] = 0;
      *inode = status.st_ino;
      errno = before;
      return place_of(path);
    }

    #define NEXT(name) ((__typeof__(&name))dlsym(RTLD_NEXT, #name))

    static int open_as(int (*next)(const char *, int, ...), const char *path, int flags, int mode) {
      struct stat status;
      int existed = lstat(path, &status) == 0;
      int file = next(path, flags, mode);
      if (file < 0 || place_of(path) != inside) return file;
      if (!existed && fstat(file, &status) == 0) note('C', status.st_ino, 0, name_of(path), strlen(name_of(path)));
      if (existed && flags & O_TRUNC) note('T', status.st_ino, 0, 0, 0);
      return file;
    }
    #define MODE int mode = 0; va_list list; va_start(list, flags); if (flags & O_CREAT) mode = va_arg(list, int); va_end(list)
    int open(const char *path, int flags, ...) { MODE; return open_as(NEXT(open), path, flags, mode); }
    int open64(const char *path, int flags, ...) { MODE; return open_as(NEXT(open64), path, flags, mode); }

    static ssize_t put(int file, const void *bytes, size_t count, off64_t at) {
      long inode;
      ssize_t done = NEXT(pwrite64)(file, bytes, count, at);
      if (done > 0 && place_of_file(file, &inode) == inside) note('W', inode, at, bytes, done);
      return done;
    }
    ssize_t pwrite64(int file, const void *bytes, size_t count, off64_t at) { return put(file, bytes, count, at); }
    ssize_t pwrite(int file, const void *bytes, size_t count, off_t at) { return put(file, bytes, count, at); }
    ssize_t write(int file, const void *bytes, size_t count) {
      long inode, at = lseek(file, 0, SEEK_CUR);
      // An acknowledgement is recorded before its receiver gets it.
      if (file == 1) note('A', 0, 0, bytes, count);
      ssize_t done = NEXT(write)(file, bytes, count);
      if (done > 0 && place_of_file(file, &inode) == inside) note('W', inode, at, bytes, done);
      return done;
    }

    static int noted(int result, int file, char kind, long number) {
      long inode;
      if (result == 0 && place_of_file(file, &inode) == inside) note(kind, inode, number, 0, 0);
      return result;
    }
    int ftruncate(int file, off_t size) { return noted(NEXT(ftruncate)(file, size), file, 'T', size); }
    int ftruncate64(int file, off64_t size) { return noted(NEXT(ftruncate64)(file, size), file, 'T', size); }
    int posix_fallocate(int file, off_t at, off_t count) {
      return noted(NEXT(posix_fallocate)(file, at, count), file, 'G', at + count);
    }
    int posix_fallocate64(int file, off64_t at, off64_t count) {
      return noted(NEXT(posix_fallocate64)(file, at, count), file, 'G', at + count);
    }

    static int synced(int result, int file) {
      long inode;
      if (result != 0) return result;
      switch (place_of_file(file, &inode)) {
      case inside: note('S', inode, 0, 0, 0); break;
      case the_folder: note('D', 0, 0, 0, 0); break;
      case its_parent: note('P', 0, 0, 0, 0); break;
      default: break;
      }
      return result;
    }
    int fsync(int file) { return synced(NEXT(fsync)(file), file); }
    int fdatasync(int file) { return synced(NEXT(fdatasync)(file), file); }

    int rename(const char *old, const char *new) {
      char names[8192];
      int result = NEXT(rename)(old, new);
      if (result != 0 || place_of(old) != inside || place_of(new) != inside) return result;
      note('R', 0, 0, names, snprintf(names, sizeof names, "%s/%s", name_of(old), name_of(new)));
      return result;
    }
    int unlink(const char *path) {
      int result = NEXT(unlink)(path);
      if (result == 0 && place_of(path) == inside) note('U', 0, 0, name_of(path), strlen(name_of(path)));
      return result;
    }
    int mkdir(const char *path, mode_t mode) {
      int result = NEXT(mkdir)(path, mode);
      if (result == 0 && place_of(path) == the_folder) note('M', 0, 0, 0, 0);
      return result;
    }
    """

  static func build(in folder: TemporaryFolder) throws -> String {
    try PreloadedLibrary.build(source, named: "record", in: folder)
  }

  /// One thing that was done.
  struct Event {
    enum Kind: UInt8 {
      case madeFolder = 0x4D  // M
      case syncedParent = 0x50  // P
      case created = 0x43  // C
      case wrote = 0x57  // W
      case truncated = 0x54  // T
      case grew = 0x47  // G
      case syncedFile = 0x53  // S
      case syncedFolder = 0x44  // D
      case renamed = 0x52  // R
      case unlinked = 0x55  // U
      case said = 0x41  // A
    }

    let kind: Kind
    let inode: UInt64
    /// Where it was written, or the size.
    let number: Int
    let bytes: ArraySlice<UInt8>

    var text: String { String(decoding: bytes, as: UTF8.self) }
  }

  /// Reads what was recorded; the last of it may be half there.
  static func events(_ path: String) throws -> [Event] {
    let bytes = [UInt8](try Data(contentsOf: URL(filePath: path)))
    var events: [Event] = []
    var at = 0
    while at + 32 <= bytes.count {
      let head = bytes.withUnsafeBytes { bytes in
        (0..<4).map { bytes.loadUnaligned(fromByteOffset: at + 8 * $0, as: Int.self) }
      }
      let end = at + 32 + head[3]
      guard end <= bytes.count else { break }
      guard let kind = Event.Kind(rawValue: UInt8(truncatingIfNeeded: head[0])) else {
        throw TestFailure("the record has an event of kind \(head[0])")
      }
      events.append(
        Event(kind: kind, inode: UInt64(head[1]), number: head[2], bytes: bytes[(at + 32)..<end]))
      at = end
    }
    return events
  }
}
