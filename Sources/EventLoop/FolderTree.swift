// SPDX-License-Identifier: Apache-2.0
internal import Glibc
internal import SystemFiles

/// The inotify instance of a folder watch and its watches.
///
/// The kernel watches the inode that a path led to, not the path. So every folder *above* a watched one is watched as
/// well: for its own removal, which costs nothing, and for new entries only if the next step of the path is missing, a
/// symbolic link, or inaccessible. (The steps of a link's target are not followed further.)
final class FolderTree {
  /// All reasons for which the kernel watches a folder.
  private struct Interest {
    let path: String
    var mask: UInt32 = 0
    /// The paths of watched folders that lead to this one.
    var folders: Set<String> = []
    /// Names of entries that are steps of a path.
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
  /// The kernel's watches by their number, which is not reused.
  private var interests: [Int32: Interest] = [:]
  private var numbers: [String: Int32] = [:]
  /// Entries that were created and are being written, with their inodes, by the number of the watch.
  private var unfinished: [Int32: [String: UInt64]] = [:]
  private static let mostUnfinished = 1000

  init(_ handler: @escaping (FolderChange) -> Void) throws(EventLoopError) {
    inotify = try Inotify()
    self.handler = handler
  }

  var descriptor: Int32 { inotify?.descriptor ?? -1 }
  var unwatched: [String] { folders.filter { numbers[$0] == nil } }

  func close() {
    inotify = nil
    // The handler may hold the watch, and with it this tree.
    handler = { _ in }
  }

  func follow(_ folders: [String]) {
    var seen: Set<String> = []
    self.folders = folders.filter { seen.insert($0).inserted }
    settle()
  }

  // MARK: Watches

  /// Makes the kernel watch the folders that the paths lead to now. Existing watches continue without a gap.
  private func settle() {
    let before = interests
    interests = [:]
    numbers = [:]
    for folder in folders {
      // An entry created between the check and the watch would be missed, so check again. If a program changes the path
      // all the time, this loop still ends, because its next change is reported.
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
    unfinished = unfinished.filter { interests[$0.key] != nil }
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

  /// Different paths may lead to the same folder, which has one number in the kernel.
  private func add(_ path: String, _ mask: UInt32) -> Int32? {
    guard let number = inotify?.widen(path, to: mask) else { return nil }
    interests[number, default: Interest(path: path)].mask |= mask
    return number
  }

  /// The steps from the root down, without the folder itself.
  private static func steps(to folder: String) -> [Step] {
    var path = ""
    return folder.split(separator: "/").map { next in
      defer { path += "/" + next }
      return Step(path: path.isEmpty ? "/" : path, next: String(next), isUncertain: !isFolder(path + "/" + next))
    }
  }

  /// Whether the path is a readable folder, not a link.
  private static func isFolder(_ path: String) -> Bool {
    (try? FileStatus(path, followingLinks: false))?.kind == .folder && access(path, R_OK) == 0
  }

  // MARK: Files that are being written

  /// Whether a new entry is a file that a program has open for writing: it is reported when that is done.
  ///
  /// A link to a file that was written elsewhere is never closed, so the number of links does not tell: the temporary
  /// name may be gone already. Files of other users count as being written, because the kernel does not say.
  private func isBeingWritten(_ name: String, in interest: Interest, _ number: Int32) -> Bool {
    let path = interest.path + "/" + name
    guard let status = try? FileStatus(path, followingLinks: false), status.kind == .regular, status.links == 1,
      FileStatus.isOpenForWriting(path) ?? true
    else { return false }
    if unfinished[number, default: [:]].count < Self.mostUnfinished {
      unfinished[number, default: [:]][name] = status.inode
    }
    return true
  }

  /// The entry that has changed with this event.
  ///
  /// A file that was created without a name (`O_TMPFILE`, as Qt's QSaveFile does) and linked while it was open is
  /// closed under the name that the kernel gave it, `#` and the inode.
  private func entry(_ name: String, _ number: Int32) -> String {
    if unfinished[number]?.removeValue(forKey: name) != nil { return name }
    guard name.hasPrefix("#"), let inode = UInt64(name.dropFirst()),
      let linked = unfinished[number]?.first(where: { $0.value == inode })?.key
    else { return name }
    unfinished[number]?[linked] = nil
    return linked
  }

  // MARK: Events

  /// Reports the queued events, as many as one read returns.
  func deliver() {
    var isOverflow = false
    var isUnsettled = false
    var names: [String: Set<String>] = [:]
    inotify?.read { event in
      if event.mask & UInt32(IN_Q_OVERFLOW) != 0 { isOverflow = true }
      // An unknown number belongs to a removed watch.
      guard let interest = interests[event.number] else { return }
      if event.mask & Inotify.ofItself != 0 || event.mask & UInt32(IN_IGNORED | IN_UNMOUNT) != 0 {
        isUnsettled = true
      } else if let name = event.name {
        if interest.steps.contains(name) { isUnsettled = true }
        // Steps of a path are of no interest as files.
        if interest.folders.isEmpty { return }
        if event.mask & UInt32(IN_CREATE) != 0, isBeingWritten(name, in: interest, event.number) { return }
        let isEnd = event.mask & UInt32(IN_ATTRIB) == 0
        let changed = isEnd ? entry(name, event.number) : name
        for folder in interest.folders { names[folder, default: []].insert(changed) }
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
