// SPDX-License-Identifier: Apache-2.0
import EventLoop
import Foundation
import Glibc
import TestSupport
import Testing

/// Tests what a watch reports about changes in folders.
@Suite(.timeLimit(.minutes(2))) struct FolderWatchTests {
  /// A watch of folders below a temporary one, and what it told.
  struct Stand: Sendable {
    let root: TemporaryFolder
    let loop: EventLoop
    let changes = Inbox<FolderChange>()
    let watch: FolderWatch

    init(_ root: TemporaryFolder, _ loop: EventLoop, _ folders: [String]) async throws {
      self.root = root
      self.loop = loop
      let changes = changes
      let paths = folders.map { root.path($0) }
      watch = try await loop.inside { loop in try loop.watch(folders: paths) { changes.put($0) } }
    }

    func expect(_ change: FolderChange, _ what: String = "") async throws {
      let told = try await changes.next()
      #expect(told == change, "\(what)")
    }

    func expect(unwatched: [String]) async throws {
      let told = try await loop.inside { _ in watch.unwatched }
      #expect(told == unwatched)
    }

    func expectNothing(before marker: String) async throws {
      let told = try await toldBefore(marker)
      #expect(told == [])
    }

    /// What was told until something of this name appeared in a watched folder, which this makes.
    func toldBefore(_ marker: String) async throws -> [FolderChange] {
      let place = root.url.appending(path: marker)
      let folder = place.deletingLastPathComponent().path
      guard mkdir(place.path, 0o700) == 0 else { throw TestFailure("mkdir \(marker): \(errno)") }
      var told: [FolderChange] = []
      while true {
        let change = try await changes.next()
        guard case .entries(folder, var names) = change, names.remove(place.lastPathComponent) != nil else {
          told.append(change)
          continue
        }
        return names.isEmpty ? told : told + [.entries(folder: folder, names: names)]
      }
    }

    /// Waits until the folder is another one; that it was gone in between may be told as well.
    func expectReplacement(of folder: String) async throws {
      repeat {
        try await expect(.replaced(folder: root.path(folder)))
      } while try await loop.inside { _ in !watch.unwatched.isEmpty || !changes.waiting.isEmpty }
    }
  }

  func withStand(_ folders: [String], _ body: (Stand) async throws -> Void) async throws {
    let root = try TemporaryFolder()
    let loop = try EventLoop.onOwnThread(named: "test")
    defer { loop.stopAndWait() }
    for folder in folders { try make(root, folder) }
    try await body(try await Stand(root, loop, folders))
  }

  func make(_ root: TemporaryFolder, _ name: String) throws {
    try FileManager.default.createDirectory(at: root.url.appending(path: name), withIntermediateDirectories: true)
  }

  // MARK: Entries

  @Test func `Creation, writing, moving, deletion and attributes are reported by name`() async throws {
    try await withStand(["a"]) { stand in
      let folder = stand.root.path("a")
      func expect(_ names: Set<String>, _ what: String, after code: Int32) async throws {
        #expect(code >= 0, "\(what)")
        try await stand.expect(.entries(folder: folder, names: names), what)
      }
      let file = open(folder + "/one", O_CREAT | O_WRONLY | O_CLOEXEC, 0o600)
      // A reader would have found a half-written file.
      #expect(file >= 0 && write(file, "x", 1) == 1)
      try await expect(["next"], "a file is not told while it is written", after: mkdir(folder + "/next", 0o700))
      try await expect(["one"], "closed after it", after: close(file))
      try await expect(["one", "two"], "renamed", after: rename(folder + "/one", folder + "/two"))
      try await expect(["two"], "attributes", after: chmod(folder + "/two", 0o640))
      try await expect(["two"], "moved out", after: rename(folder + "/two", stand.root.path("away")))
      try await expect(["back"], "moved in", after: rename(stand.root.path("away"), folder + "/back"))
      try await expect(["back"], "deleted", after: unlink(folder + "/back"))
      #expect(stand.changes.waiting == [])
    }
  }

  // They were taken for files that are being written, and never reported.
  @Test func `A file that is linked to its name is reported, also without its temporary name`() async throws {
    try await withStand(["a"]) { stand in
      let folder = stand.root.path("a")
      try stand.root.write("x", to: "b/temporary", executable: true)
      // On the loop, which so looks at the link when the temporary name is gone.
      try await stand.loop.inside { _ in
        guard link(stand.root.path("b/temporary"), folder + "/linked") == 0,
          unlink(stand.root.path("b/temporary")) == 0
        else { throw TestFailure("link: \(errno)") }
      }
      try await stand.expect(.entries(folder: folder, names: ["linked"]))
      // As flock(1) creates its lock.
      try await stand.loop.inside { _ in _ = close(open(folder + "/lock", O_CREAT | O_RDONLY | O_CLOEXEC, 0o600)) }
      try await stand.expect(.entries(folder: folder, names: ["lock"]))
    }
  }

  /// `O_TMPFILE`, which Glibc's module leaves out.
  private static let withoutName = O_DIRECTORY | 0o20_000_000

  // As QSaveFile writes new files: the kernel reports the closing under a name of its own.
  @Test func `A file that is created without a name, and linked while it is open, is reported once closed`()
    async throws
  {
    try await withStand(["a"]) { stand in
      let folder = stand.root.path("a")
      let file = open(folder, Self.withoutName | O_WRONLY | O_CLOEXEC, 0o600)
      try #require(file >= 0, "\(errno)")
      #expect(write(file, "x", 1) == 1)
      #expect(linkat(AT_FDCWD, "/proc/self/fd/\(file)", AT_FDCWD, folder + "/saved", AT_SYMLINK_FOLLOW) == 0)
      try await stand.expectNothing(before: "a/while it is open")
      close(file)
      try await stand.expect(.entries(folder: folder, names: ["saved"]))
    }
  }

  @Test func `A symbolic link replaced by a rename is reported by its name`() async throws {
    try await withStand(["etc"]) { stand in
      let folder = stand.root.path("etc")
      #expect(symlink("/usr/share/zoneinfo/Pacific/Auckland", folder + "/localtime") == 0)
      try await stand.expect(.entries(folder: folder, names: ["localtime"]))
      #expect(symlink("/usr/share/zoneinfo/Pacific/Honolulu", stand.root.path("new")) == 0)
      #expect(rename(stand.root.path("new"), folder + "/localtime") == 0)
      try await stand.expect(.entries(folder: folder, names: ["localtime"]))
    }
  }

  @Test func `Several folders are told apart, and unwatched ones are not reported`() async throws {
    try await withStand(["a", "b/c"]) { stand in
      try stand.root.write("", to: "b/not told")
      try stand.root.write("", to: "not told")
      try stand.root.write("", to: "a/x/not told")
      let told = try await stand.toldBefore("b/c/told")
      #expect(told == [.entries(folder: stand.root.path("a"), names: ["x"])])
    }
  }

  // MARK: The folders themselves

  @Test func `A folder that goes and comes back is reported both times, and watched again`() async throws {
    try await withStand(["a/b"]) { stand in
      let folder = stand.root.path("a/b")
      #expect(rmdir(folder) == 0)
      try await stand.expect(.replaced(folder: folder))
      try await stand.expect(unwatched: [folder])
      #expect(mkdir(folder, 0o700) == 0)
      try await stand.expect(.replaced(folder: folder))
      try await stand.expectNothing(before: "a/b/x")
      try await stand.expect(unwatched: [])
    }
  }

  @Test func `A folder replaced by a rename is reported, whichever part of the path it is`() async throws {
    try await withStand(["a/b/c"]) { stand in
      for place in ["a/b/c", "a/b", "a"] {
        try make(stand.root, "new" + "a/b/c".dropFirst(place.count))
        #expect(rename(stand.root.path(place), stand.root.path("old of \(place.count)")) == 0)
        #expect(rename(stand.root.path("new"), stand.root.path(place)) == 0)
        try await stand.expectReplacement(of: "a/b/c")
        try await stand.expectNothing(before: "a/b/c/x")
      }
      try stand.root.write("", to: "old of 1/b/c/not told")
      try await stand.expectNothing(before: "a/b/c/y")
    }
  }

  @Test func `A missing folder is waited for, with all its missing parents`() async throws {
    let root = try TemporaryFolder()
    try await withLoop { loop in
      let stand = try await Stand(root, loop, ["x/y/z"])
      try await stand.expect(unwatched: [root.path("x/y/z")])
      try root.write("", to: "noise")
      for part in ["x", "x/noise", "x/y", "x/y/noise", "x/y/z"] { #expect(mkdir(root.path(part), 0o700) == 0) }
      try await stand.expectReplacement(of: "x/y/z")
      try await stand.expectNothing(before: "x/y/z/x")
    }
  }

  @Test func `A folder reached by a link is watched, and the link as well`() async throws {
    let root = try TemporaryFolder()
    for name in ["2025a", "2025b"] { try make(root, name) }
    #expect(symlink("2025a", root.path("zones")) == 0)
    try await withLoop { loop in
      let stand = try await Stand(root, loop, ["zones"])
      try root.write("", to: "2025a/x")
      while true {
        guard case .entries(root.path("zones"), let names) = try await stand.changes.next() else {
          Issue.record("it was not replaced")
          break
        }
        if names.contains("x") { break }
      }
      #expect(symlink("2025b", root.path("new")) == 0)
      #expect(rename(root.path("new"), root.path("zones")) == 0)
      _ = try await stand.changes.next(where: { $0 == .replaced(folder: root.path("zones")) })
      try root.write("", to: "2025a/not told")
      try await stand.expectNothing(before: "zones/x")
    }
  }

  @Test func `A file in the place of a folder counts as a missing folder`() async throws {
    try await withStand(["a"]) { stand in
      #expect(rmdir(stand.root.path("a")) == 0)
      try await stand.expect(.replaced(folder: stand.root.path("a")))
      try stand.root.write("", to: "a")
      #expect(unlink(stand.root.path("a")) == 0)
      #expect(mkdir(stand.root.path("a"), 0o700) == 0)
      try await stand.expect(.replaced(folder: stand.root.path("a")))
      try await stand.expectNothing(before: "a/x")
    }
  }

  // MARK: Much, little, nothing

  /// As many events as that. Neighbours that are equal would be one to the kernel, and files that are there already
  /// spare the disk.
  private static func makeEvents(_ count: Int, in folder: String) throws {
    for number in 0..<count {
      let file = open(folder + "/\(number % 100)", O_CREAT | O_WRONLY | O_CLOEXEC, 0o600)
      guard file >= 0 else { throw TestFailure("open: \(errno)") }
      close(file)
    }
  }

  private static var mostEvents: Int {
    Int(contents(of: "/proc/sys/fs/inotify/max_queued_events").prefix { $0.isNumber }) ?? .max
  }

  @Test func `An overflow of the kernel's queue is reported, and later events arrive again`() async throws {
    try await withStand(["a"]) { stand in
      let folder = stand.root.path("a")
      let made = max(100_000, 2 * Self.mostEvents)
      // On the loop, which so cannot read meanwhile.
      try await stand.loop.inside { _ in try Self.makeEvents(made, in: folder) }
      var batches = 0
      while try await stand.changes.next() != .overflow { batches += 1 }
      #expect(batches < made / 100, "told in batches")
      try await stand.expectNothing(before: "a/x")
    }
  }

  @Test func `A folder replaced in the middle of an overflow is found`() async throws {
    try await withStand(["a"]) { stand in
      let folder = stand.root.path("a")
      try await stand.loop.inside { _ in
        try Self.makeEvents(Self.mostEvents, in: folder)
        guard rename(folder, folder + ".old") == 0, mkdir(folder, 0o700) == 0 else { throw TestFailure("\(errno)") }
      }
      _ = try await stand.changes.next(where: { $0 == .replaced(folder: folder) })
      try await stand.expect(.overflow)
      try await stand.expectNothing(before: "a/x")
    }
  }

  @Test func `The set of folders can be changed, and those that stay miss no event`() async throws {
    try await withStand(["a", "b"]) { stand in
      let a = stand.root.path("a")
      // What its parent is watched for changes to and fro, and it is a parent itself.
      for round in 0..<100 {
        try await stand.loop.inside { _ in
          guard mkdir(a + "/\(round)", 0o700) == 0 else { throw TestFailure("mkdir: \(errno)") }
          stand.watch.follow(round % 2 == 0 ? [a, a + "/none"] : [a, a])
          guard mkdir(a + "/\(round)+", 0o700) == 0 else { throw TestFailure("mkdir: \(errno)") }
        }
      }
      try stand.root.write("", to: "b/not told")
      let told = try await stand.toldBefore("a/last")
      let names = told.reduce(into: Set<String>()) { names, change in
        if case .entries(a, let some) = change { names.formUnion(some) } else { Issue.record("\(change)") }
      }
      #expect(names.count == 200)
    }
  }

  @Test func `No event is reported after the end, not even one already read`() async throws {
    let root = try TemporaryFolder()
    for name in ["a", "b"] { try make(root, name) }
    try await withLoop { loop in
      let calls = Inbox<FolderChange>()
      let held = Held()
      try await loop.inside { loop in
        let watch = try loop.watch(folders: [root.path("a"), root.path("b")]) {
          calls.put($0)
          held.watch?.cancel()
        }
        held.watch = watch
        for name in ["a/x", "b/x"] where mkdir(root.path(name), 0o700) != 0 { throw TestFailure("mkdir: \(errno)") }
      }
      _ = try await calls.next()
      // A second watch of the same folder gets the event that the ended one must not get.
      let marker = Inbox<FolderChange>()
      let markerWatch = Held()
      try await loop.inside { loop in
        markerWatch.watch = try loop.watch(folders: [root.path("a")]) { marker.put($0) }
        _ = mkdir(root.path("a/y"), 0o700)
      }
      _ = try await marker.next(within: .seconds(10), "event of the second watch")
      try await loop.inside { _ in markerWatch.watch?.cancel() }
      #expect(calls.waiting == [])
    }
  }

  /// In a process of its own: nothing else opens descriptors there.
  @Test func `Two hundred watches leave no descriptors behind`() async {
    await #expect(processExitsWith: .success) {
      let folder = try TemporaryFolder()
      func cycle(cancels: Bool) async throws {
        try await withLoop { loop in
          try await loop.inside { loop in
            let watch = try loop.watch(folders: [folder.path("")]) { _ in }
            if cancels { watch.cancel() }
          }
        }
      }
      try await cycle(cancels: true)
      let descriptors = OpenDescriptors.count
      // The kernel allows a user 128 of them at a time, by default.
      for number in 0..<200 { try await cycle(cancels: number % 2 == 0) }
      #expect(OpenDescriptors.count == descriptors)
    }
  }

  /// Confined to the loop's thread.
  private final class Held: @unchecked Sendable {
    var watch: FolderWatch?
  }
}
