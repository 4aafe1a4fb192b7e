// SPDX-License-Identifier: Apache-2.0
internal import Glibc
internal import SystemFiles

/// The inotify instance of a folder watch, and what it is told about.
///
/// The kernel watches what a path led to when it was asked, not the path. So every folder *above* a watched one is watched
/// as well: for its own going away, which costs nothing, and for what appears in it only where the next step of the path
/// is missing, a symbolic link, or closed to us. (Where a link leads, the steps there are not followed further.)
final class FolderTree {
  /// Why the kernel watches something, all reasons together.
  private struct Interest {
    let path: String
    var mask: UInt32 = 0
    /// Watched folders that this is, by their paths.
    var folders: Set<String> = []
    /// Names in it that are steps of a path.
    var steps: Set<String> = []
  }

  private struct Step: Equatable {
    let path: String
    let next: String
    let isUncertain: Bool
  }

  private var inotify: Inotify?
  private var handler: (FolderChange) -> Void
  private var folders: [String] = []
  /// What the kernel watches, by its number for it; one that it gave up is not used again.
  private var interests: [Int32: Interest] = [:]
  private var numbers: [String: Int32] = [:]

  init(_ handler: @escaping (FolderChange) -> Void) throws(EventLoopError) {
    inotify = try Inotify()
    self.handler = handler
  }

  var descriptor: Int32 { inotify?.descriptor ?? -1 }
  var unwatched: [String] { folders.filter { numbers[$0] == nil } }

  func close() {
    inotify = nil
    // It may hold the watch, and so us.
    handler = { _ in }
  }

  func follow(_ folders: [String]) {
    var seen: Set<String> = []
    self.folders = folders.filter { seen.insert($0).inserted }
    settle()
  }

  // MARK: What is watched

  /// Makes the kernel watch what the paths lead to now. What was watched and still is has no gap.
  private func settle() {
    let before = interests
    interests = [:]
    numbers = [:]
    for folder in folders {
      // What appears between the look and the watch would not be told: look again. Somebody who changes it all the time
      // does not keep us here, as his next change is told.
      var steps = Self.steps(to: folder)
      for _ in 0..<8 {
        for step in steps { add(step) }
        let now = Self.steps(to: folder)
        if now == steps { break }
        steps = now
      }
      if let number = add(folder, Inotify.ofItself | Inotify.ofEntries) {
        interests[number]?.folders.insert(folder)
        numbers[folder] = number
      }
    }
    for (number, old) in before {
      if let interest = interests[number] {
        if old.mask & ~interest.mask != 0 { inotify?.narrow(number, interest.path, to: interest.mask) }
      } else {
        inotify?.remove(number)
      }
    }
  }

  private func add(_ step: Step) {
    let mask = step.isUncertain ? Inotify.ofItself | Inotify.ofSteps : Inotify.ofItself
    if let number = add(step.path, mask), step.isUncertain { interests[number]?.steps.insert(step.next) }
  }

  /// Different paths may lead to one folder, which the kernel then knows by one number.
  private func add(_ path: String, _ mask: UInt32) -> Int32? {
    guard let number = inotify?.widen(path, to: mask) else { return nil }
    interests[number, default: Interest(path: path)].mask |= mask
    return number
  }

  /// From the root down, without the folder itself.
  private static func steps(to folder: String) -> [Step] {
    var path = ""
    return folder.split(separator: "/").map { next in
      defer { path += "/" + next }
      return Step(path: path.isEmpty ? "/" : path, next: String(next), isUncertain: !isFolder(path + "/" + next))
    }
  }

  /// A folder by itself, which we may read.
  private static func isFolder(_ path: String) -> Bool {
    (try? FileStatus(path, followingLinks: false))?.kind == .folder && access(path, R_OK) == 0
  }

  // MARK: What happened

  /// Tells what the kernel has noted, as far as it fits into one reading.
  func deliver() {
    var isOverflow = false
    var isUnsettled = false
    var names: [String: Set<String>] = [:]
    inotify?.read { event in
      if event.mask & UInt32(IN_Q_OVERFLOW) != 0 { isOverflow = true }
      // Not found: of a watch that was given up meanwhile.
      guard let interest = interests[event.number] else { return }
      if event.mask & Inotify.ofItself != 0 || event.mask & UInt32(IN_IGNORED | IN_UNMOUNT) != 0 {
        isUnsettled = true
      } else if let name = event.name {
        if interest.steps.contains(name) { isUnsettled = true }
        for folder in interest.folders { names[folder, default: []].insert(name) }
      }
    }
    let before = numbers
    if isOverflow || isUnsettled { settle() }
    var changes = folders.compactMap { folder in names[folder].map { FolderChange.entries(folder: folder, names: $0) } }
    changes += folders.filter { numbers[$0] != before[$0] }.map { .replaced(folder: $0) }
    if isOverflow { changes.append(.overflow) }
    for change in changes where inotify != nil { handler(change) }
  }
}
