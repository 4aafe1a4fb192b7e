// SPDX-License-Identifier: Apache-2.0
import Glibc
import SystemFiles
import TestSupport
import Testing

/// A replaced file keeps what its owner set, and nothing else is left beside it.
struct AtomicFileTests {
  private func names(in folder: TemporaryFolder) -> [String] {
    Folder(folder.path("")).entries().map(\.name).sorted()
  }

  @Test func `A new file is private`() throws {
    let folder = try TemporaryFolder()
    try AtomicFile(folder.path("new")).write("one".utf8)
    #expect(folder.read("new") == "one" && names(in: folder) == ["new"])
    #expect(try FileStatus(folder.path("new")).permissions == 0o600)
  }

  // Every replaced file once became 0600, and other users could no longer read it.
  @Test(arguments: [0o644, 0o640, 0o600, 0o400, 0o755] as [mode_t])
  func `A replaced file keeps its permissions`(permissions: mode_t) throws {
    let folder = try TemporaryFolder()
    let path = try folder.write("old", to: "file")
    #expect(chmod(path, permissions) == 0)
    let before = try FileStatus(path)
    try AtomicFile(path).write("new".utf8)
    let after = try FileStatus(path)
    #expect(folder.read("file") == "new" && after.permissions == UInt32(permissions))
    #expect(after.owner == before.owner && after.group == before.group && !after.isSameFile(as: before))
    #expect(names(in: folder) == ["file"])
  }

  @Test func `A link stays a link`() throws {
    let folder = try TemporaryFolder()
    try folder.write("old", to: "target")
    #expect(symlink("target", folder.path("link")) == 0)
    try AtomicFile(folder.path("link")).write("new".utf8)
    #expect(folder.read("target") == "new")
    #expect(try FileStatus(folder.path("link"), followingLinks: false).kind == .link)
  }

  // As root, a rename would put a file in the place of /dev/null.
  @Test func `Anything but a regular file is not replaced`() throws {
    let folder = try TemporaryFolder()
    #expect(mkfifo(folder.path("pipe"), 0o600) == 0 && mkdir(folder.path("folder"), 0o700) == 0)
    for name in ["pipe", "folder"] {
      #expect(throws: FileError.notRegular) { try AtomicFile(folder.path(name)).write("new".utf8) }
    }
    #expect(names(in: folder) == ["folder", "pipe"])
  }

  @Test func `A missing folder is an error`() throws {
    let folder = try TemporaryFolder()
    #expect(throws: FileError.system(Errno(rawValue: ENOENT))) {
      try AtomicFile(folder.path("none/file")).write("new".utf8)
    }
  }
}
