// SPDX-License-Identifier: Apache-2.0
import Glibc
import SystemFiles
import TestSupport
import Testing

/// Only regular files are read, whole and within a limit.
struct RegularFileTests {
  private func failure(_ path: String, limit: Int = 100) -> FileError? {
    do throws(FileError) {
      _ = try RegularFile.read(path, limit: limit)
      return nil
    } catch {
      return error
    }
  }

  @Test(.timeLimit(.minutes(1))) func `Pipes, folders and devices are refused without waiting`() throws {
    let folder = try TemporaryFolder()
    #expect(mkfifo(folder.path("pipe"), 0o600) == 0 && symlink("/dev/zero", folder.path("zero")) == 0)
    for path in [folder.path("pipe"), folder.path("zero"), folder.path("")] { #expect(failure(path) == .notRegular) }
    #expect(failure(folder.path("none")) == .system(Errno(rawValue: ENOENT)))
    #expect(FileError.system(Errno(rawValue: ENOENT)).description == "No such file or directory")
  }

  @Test func `The limit is exact`() throws {
    let folder = try TemporaryFolder()
    let text = String(repeating: "x", count: 10_000)
    let path = try folder.write(text, to: "file")
    #expect(try RegularFile.read(path, limit: 10_000) == Array(text.utf8))
    #expect(failure(path, limit: 9999) == .tooLarge(limit: 9999))
    for count in [0, 1, 9999, 10_000, 10_001] {
      #expect(try RegularFile(path).read(atMost: count).count == min(count, 10_000))
    }
    #expect(try RegularFile.read(try folder.write("", to: "empty"), limit: 0) == [])
  }

  // The kernel reports a size of 0 for these.
  @Test func `Files of proc are read to their end`() throws {
    #expect(try RegularFile.read("/proc/self/status", limit: 1 << 20).count > 100)
    #expect(failure("/proc/self/status", limit: 10) == .tooLarge(limit: 10))
  }

  @Test func `A link in a folder is not followed`() throws {
    let folder = try TemporaryFolder()
    try folder.write("text", to: "file")
    #expect(symlink("file", folder.path("link")) == 0)
    let opened = try Descriptor(folder.path(""), O_RDONLY | O_DIRECTORY)
    #expect(try RegularFile("file", in: opened).readWhole(limit: 4) == Array("text".utf8))
    #expect(try FileStatus("link", in: opened).kind == .link)
    var error: FileError?
    do throws(FileError) { _ = try RegularFile("link", in: opened).status } catch let caught { error = caught }
    #expect(error == .system(Errno(rawValue: ELOOP)))
  }

  @Test func `A folder lists names and kinds`() throws {
    let folder = try TemporaryFolder()
    try folder.write("", to: "file")
    #expect(mkdir(folder.path("folder"), 0o700) == 0 && symlink("file", folder.path("link")) == 0)
    let entries = Folder(folder.path("")).entries().sorted { $0.name < $1.name }
    #expect(entries.map(\.name) == ["file", "folder", "link"])
    // A file system may list no kinds.
    for (entry, kind) in zip(entries, [.regular, .folder, .link] as [FileStatus.Kind]) {
      #expect(entry.kind == kind || entry.kind == nil)
    }
    #expect(Folder(folder.path("")).entries(atMost: 2).count == 2 && Folder(folder.path("none")).entries() == [])
    #expect(Folder.parent(of: "/a/b").path == "/a" && Folder.parent(of: "/a").path == "/")
    #expect(Folder.parent(of: "a").path == ".")
  }
}
