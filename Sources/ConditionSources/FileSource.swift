// SPDX-License-Identifier: Apache-2.0
internal import EventLoop
internal import NotificationModel
internal import Scheduling
internal import SystemFiles

/// Files that exist or are written, by inotify.
final class FileSource: ConditionSource {
  var whenObserved: (Condition.Subject, Observation) -> Void = { _, _ in }
  private let loop: EventLoop
  private var watch: FolderWatch?
  /// The watched subjects by folder and name of the entry.
  private var subjects: [String: [String: Set<Condition.Subject>]] = [:]
  /// What the watched files looked like.
  private var stamps: [String: Stamp] = [:]

  /// Changes when the content does.
  private struct Stamp: Equatable {
    let inode: UInt64
    let size: Int64
    let seconds: Int64
    let nanoseconds: Int64
  }

  init(on loop: EventLoop) { self.loop = loop }

  func observes(_ subject: Condition.Subject) -> Bool { Self.path(of: subject) != nil }

  private static func path(of subject: Condition.Subject) -> String? {
    switch subject {
    case .file(let path), .fileChange(let path): path
    default: nil
    }
  }

  private static func parts(of path: String) -> (folder: String, name: String) {
    let slash = path.lastIndex(of: "/") ?? path.startIndex
    let folder = String(path[..<slash])
    return (folder.isEmpty ? "/" : folder, String(path[path.index(after: slash)...]))
  }

  func watch(_ subject: Condition.Subject) {
    guard let path = Self.path(of: subject) else { return }
    let (folder, name) = Self.parts(of: path)
    subjects[folder, default: [:]][name, default: []].insert(subject)
    do throws(EventLoopError) {
      if let watch {
        watch.follow(subjects.keys.sorted())
      } else {
        watch = try loop.watch(folders: subjects.keys.sorted()) { [weak self] in self?.changed($0) }
      }
    } catch {
      return whenObserved(subject, .unknown("files cannot be watched: \(error)"))
    }
    if watch?.unwatched.contains(folder) == true, (try? FileStatus(folder)) != nil {
      return whenObserved(subject, .unknown("the folder of the file is not readable"))
    }
    stamps[path] = Self.stamp(path)
    report(subject, path)
  }

  func unwatch(_ subject: Condition.Subject) {
    guard let path = Self.path(of: subject) else { return }
    let (folder, name) = Self.parts(of: path)
    subjects[folder]?[name]?.remove(subject)
    if subjects[folder]?[name]?.isEmpty == true {
      subjects[folder]?[name] = nil
      stamps[path] = nil
    }
    if subjects[folder]?.isEmpty == true { subjects[folder] = nil }
    if subjects.isEmpty {
      watch?.cancel()
      watch = nil
    } else {
      watch?.follow(subjects.keys.sorted())
    }
  }

  private func changed(_ change: FolderChange) {
    switch change {
    case .entries(let folder, let names):
      for name in names where subjects[folder]?[name] != nil { look(folder, name) }
    case .replaced(let folder):
      for name in subjects[folder]?.keys.sorted() ?? [] { look(folder, name) }
    case .overflow:
      for (folder, names) in subjects { for name in names.keys { look(folder, name) } }
    }
  }

  private func look(_ folder: String, _ name: String) {
    let path = folder == "/" ? "/" + name : folder + "/" + name
    let (before, now) = (stamps[path], Self.stamp(path))
    stamps[path] = now
    for subject in subjects[folder]?[name] ?? [] {
      if case .fileChange = subject {
        if let now, now != before { whenObserved(subject, .happened(event: Self.event(path))) }
      } else {
        report(subject, path)
      }
    }
  }

  private func report(_ subject: Condition.Subject, _ path: String) {
    guard case .file = subject else { return }
    whenObserved(subject, .holds(stamps[path] != nil, event: Self.event(path)))
  }

  private static func event(_ path: String) -> EventDetails { ["path": path, "name": parts(of: path).name] }

  private static func stamp(_ path: String) -> Stamp? {
    guard let status = try? FileStatus(path) else { return nil }
    return Stamp(
      inode: status.inode, size: status.size, seconds: status.seconds, nanoseconds: status.nanoseconds)
  }
}
