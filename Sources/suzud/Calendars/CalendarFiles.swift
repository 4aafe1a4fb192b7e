// SPDX-License-Identifier: Apache-2.0
internal import EventLoop
internal import Glibc
internal import SystemFiles

/// The files of a calendar at one moment: a file with many events, a folder with a file for each (a vdir), or a folder
/// of such folders, as vdirsyncer keeps the calendars of an account.
struct CalendarFiles {
  /// Why the calendar cannot be looked at; its alarms stay as they are.
  struct Obstacle: Error { let reason: String }

  /// The stamps of the files, by name.
  private(set) var stamps: [String: String] = [:]
  /// The folders in it that cannot be read. Their alarms stay.
  private(set) var obstacles: [(folder: String, reason: String)] = []

  /// The most files of a calendar.
  static let mostFiles = 50_000
  private static let mostFolders = 200

  /// The path of a file of the calendar.
  static func path(of name: String, in calendar: String) -> String {
    name == KnownAlarms.single ? calendar : "\(calendar)/\(name)"
  }

  /// The folders whose entries the calendar consists of.
  static func folders(of path: String) -> [String] {
    guard !FileStatus.isFolder(path) else { return [path] + subfolders(of: path).map { "\(path)/\($0)" } }
    var folders = [Folder.parent(of: path).path]
    // A link to a file elsewhere, which is changed there.
    if let target = realPath(path), target != path { folders.append(Folder.parent(of: target).path) }
    // It may come back as a folder.
    if (try? FileStatus(path)) == nil { folders.append(path) }
    return folders
  }

  /// The names under which the file changes in ``folders(of:)``; nil for a folder, where every name counts.
  static func names(of path: String) -> Set<String>? {
    if FileStatus.isFolder(path) { return nil }
    return Set([path, realPath(path) ?? path].map { String($0.split(separator: "/").last ?? "") })
  }

  private static func realPath(_ path: String) -> String? {
    guard let found = realpath(path, nil) else { return nil }
    defer { free(found) }
    return String(cString: found)
  }

  private static func subfolders(of path: String) -> [String] {
    let entries = Folder(path).entries(atMost: mostFiles).filter { entry in
      if entry.name.hasPrefix(".") || entry.kind == .regular { return false }
      return entry.kind == .folder || FileStatus.isFolder("\(path)/\(entry.name)")
    }
    return entries.map(\.name).sorted().prefix(mostFolders).map(\.self)
  }

  // MARK: Looking

  /// Looks at the calendar, in slices.
  init(of path: String, on loop: EventLoop) async throws(Obstacle) {
    let status: FileStatus
    do throws(Errno) { status = try FileStatus(path) } catch {
      throw Obstacle(reason: "\(path): \(error)")
    }
    switch status.kind {
    case .regular: stamps[KnownAlarms.single] = Self.stamp(status)
    case .folder:
      if let reason = Self.obstacle(to: path) { throw Obstacle(reason: "\(path): \(reason)") }
      var slices = loop.slices
      try await look(at: path, prefix: "", &slices)
      for folder in Self.subfolders(of: path) {
        if let reason = Self.obstacle(to: "\(path)/\(folder)") {
          obstacles.append((folder + "/", "\(path)/\(folder): \(reason)"))
        } else {
          try await look(at: "\(path)/\(folder)", prefix: folder + "/", &slices)
        }
      }
    default: throw Obstacle(reason: "\(path): neither a file nor a folder")
    }
  }

  /// The names are all listed in one turn, which takes a millisecond for a thousand.
  private mutating func look(
    at folder: String, prefix: String, _ slices: inout EventLoop.Slices
  ) async throws(Obstacle) {
    for entry in Folder(folder).entries(atMost: Self.mostFiles) {
      // As a vdir has it: other names, and hidden ones, are files that are being written.
      guard entry.name.hasSuffix(".ics"), !entry.name.hasPrefix(".") else { continue }
      await slices.pause()
      guard let status = try? FileStatus("\(folder)/\(entry.name)"), status.kind == .regular else { continue }
      stamps[prefix + entry.name] = Self.stamp(status)
      guard stamps.count < Self.mostFiles else {
        throw Obstacle(reason: "\(folder): more than \(Self.mostFiles - 1) files")
      }
    }
  }

  private static func obstacle(to folder: String) -> String? {
    do throws(Errno) { _ = try Descriptor(folder, O_RDONLY | O_DIRECTORY) } catch { return "\(error)" }
    return nil
  }

  private static func stamp(_ status: FileStatus) -> String {
    "\(status.inode).\(status.size).\(status.seconds).\(status.nanoseconds)"
  }
}
