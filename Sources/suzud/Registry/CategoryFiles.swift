// SPDX-License-Identifier: Apache-2.0
internal import EventLoop
internal import Glibc
internal import NotificationModel
internal import SystemFiles

/// The categories in files that users and packages put into `categories.d`; changes are followed.
///
/// An invalid file is reported and left out. Confined to the loop's thread.
final class CategoryFiles {
  /// Longer files are refused.
  static let longest = 4 << 20

  /// A category and the path of its file.
  struct Filed {
    let category: Category
    /// The app that it is for; nil if it is for every app.
    let app: String?
    let path: String

    func isFor(_ asker: String) -> Bool { app?.isIdentical(to: asker) ?? true }
  }

  private let folders: [String]
  private var watch: FolderWatch?
  /// By id. If several files define one, the first folder counts, and in it the first file by name.
  private var categories: [Identifier: [Filed]] = [:]
  /// The errors in files, one line each.
  private(set) var problems: [String] = []
  /// Why changes cannot be followed; nil if they are.
  private var watchFailure: String?

  init(folders: [String]) { self.folders = folders }

  /// Reads the files, and again whenever one of the folders changes.
  func follow(on loop: EventLoop) {
    do throws(EventLoopError) {
      watch = try loop.watch(folders: folders) { [weak self] _ in self?.read() }
    } catch {
      // The number of inotify watches of a user is limited, and some desktops use them up.
      watchFailure = "changes to categories.d are not seen until the center restarts: \(error)"
      Log.warning("cannot watch the folders of categories", "\(error)")
    }
    read()
  }

  func end() {
    watch?.cancel()
    watch = nil
  }

  func category(_ id: String, of app: String) -> Category? {
    categories[Identifier(id)]?.first { $0.isFor(app) }?.category
  }

  /// The category that is for `app` alone.
  func category(_ id: String, ofAlone app: String) -> Category? {
    categories[Identifier(id)]?.first { $0.app?.isIdentical(to: app) == true }?.category
  }

  /// The categories that `app` may use; nil means all.
  func all(of app: String?) -> [Filed] {
    categories.values.flatMap { $0 }.filter { filed in app.map(filed.isFor) ?? true }
      .sorted { (Identifier($0.category.id), $0.path) < (Identifier($1.category.id), $1.path) }
  }

  private func read() {
    let before = problems
    categories = [:]
    problems = watchFailure.map { [$0] } ?? []
    for folder in folders {
      for name in Self.names(in: folder) { read(folder + "/" + name) }
    }
    for problem in problems where problem != watchFailure && !before.contains(problem) {
      Log.warning("ignored a category file", problem)
    }
  }

  private func read(_ path: String) {
    do {
      let document = try CategoryDocument(try Self.bytes(of: path))
      for category in document.categories {
        categories[Identifier(category.id), default: []].append(
          Filed(category: category, app: document.app, path: path))
      }
    } catch let error as DocumentError {
      problems.append("\(path):\(error.place.map { "\($0.line):\($0.column): " } ?? " ")\(error.problem)")
    } catch {
      problems.append("\(path): \((error as? Unreadable)?.why ?? "\(error)")")
    }
  }

  private static func names(in folder: String) -> [String] {
    // Leaves out the hidden and half-written files of editors.
    Folder(folder).entries().map(\.name).filter { $0.hasSuffix(".json") && !$0.hasPrefix(".") }.sorted()
  }

  private struct Unreadable: Error { let why: String }

  /// Categories can run programs, so their file must belong to the user or root, and no other user may have been able
  /// to write it.
  private static func bytes(of path: String) throws -> [UInt8] {
    let file = try RegularFile(path)
    guard file.status.owner == getuid() || file.status.owner == 0 else {
      throw Unreadable(why: "belongs to another user")
    }
    guard file.status.permissions & 0o002 == 0 else { throw Unreadable(why: "is writable by all users") }
    return try file.readWhole(limit: longest)
  }
}
