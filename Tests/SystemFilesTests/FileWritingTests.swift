// SPDX-License-Identifier: Apache-2.0
import Glibc
import SystemFiles
import TestSupport
import Testing

/// Tests whether a file is open for writing.
struct FileWritingTests {
  @Test func `A file is open for writing until its last writer closes it, and readers do not count`() throws {
    let folder = try TemporaryFolder()
    // Written by another process: no child of another test has its descriptor.
    let path = try folder.write("x", to: "file", executable: true)
    let reader = open(path, O_RDONLY | O_CLOEXEC)
    defer { close(reader) }
    #expect(FileStatus.isOpenForWriting(path) == false)
    let writer = open(path, O_WRONLY | O_CLOEXEC)
    #expect(FileStatus.isOpenForWriting(path) == true)
    close(writer)
    #expect(FileStatus.isOpenForWriting(path) == false)
    // The lease was returned: this would wait for it.
    let next = open(path, O_WRONLY | O_NONBLOCK | O_CLOEXEC)
    #expect(next >= 0)
    close(next)
  }

  @Test func `There is no answer for pipes, links and missing files`() throws {
    let folder = try TemporaryFolder()
    #expect(mkfifo(folder.path("pipe"), 0o600) == 0 && symlink("file", folder.path("link")) == 0)
    try folder.write("x", to: "file")
    for name in ["pipe", "link", "none"] { #expect(FileStatus.isOpenForWriting(folder.path(name)) == nil, "\(name)") }
  }
}
