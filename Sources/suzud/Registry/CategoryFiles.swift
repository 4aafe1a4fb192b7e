// SPDX-License-Identifier: Apache-2.0
internal import EventLoop
internal import Glibc
internal import NotificationModel
internal import SystemFiles

/// The categories in files that users and packages drop into `categories.d`, followed while they change.
///
/// A bad file is reported, and the rest still counts. Confined to the loop's thread.
final class CategoryFiles {
  /// The longest file that is read.
  static let longest = 4 << 20

  /// A category and the file that it stands in.
  struct Filed {
    let category: Category
    /// Whose it is; nil: anybody's.
    let app: String?
    let path: String

    func isFor(_ asker: String) -> Bool { app?.isIdentical(to: asker) ?? true }
  }

  private let folders: [String]
  private var watch: FolderWatch?
  /// By what requests call them; where several files have one, that of the first folder, and in it the first by name.
  private var categories: [Identifier: [Filed]] = [:]
  /// What is wrong with which files: a line each.
  private(set) var problems: [String] = []
  /// Why changes are not heard of; nil: they are.
  private var watchFailure: String?

  init(folders: [String]) { self.folders = folders }

  /// Reads them, and again whenever one of the folders changes.
  func follow(on loop: EventLoop) {
    do throws(EventLoopError) {
      watch = try loop.watch(folders: folders) { [weak self] _ in self?.read() }
    } catch {
      // The system has only so many for each user, and some desktops use them up.
      watchFailure = "changes of categories.d are not seen until the center starts again: \(error)"
      Log.warning("files of categories are not followed", "\(error)")
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

  /// One that is for `app` and no other.
  func category(_ id: String, ofAlone app: String) -> Category? {
    categories[Identifier(id)]?.first { $0.app?.isIdentical(to: app) == true }?.category
  }

  /// Those that `app` may use, or all.
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
      Log.warning("a file of categories is left out", problem)
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
    // An editor's hidden and half-written files end otherwise.
    Folder(folder).entries().map(\.name).filter { $0.hasSuffix(".json") && !$0.hasPrefix(".") }.sorted()
  }

  private struct Unreadable: Error { let why: String }

  /// What runs programs must be ours, or the system's, and nobody else may have written it.
  private static func bytes(of path: String) throws -> [UInt8] {
    let file = try RegularFile(path)
    guard file.status.owner == getuid() || file.status.owner == 0 else {
      throw Unreadable(why: "belongs to somebody else")
    }
    guard file.status.permissions & 0o002 == 0 else { throw Unreadable(why: "may be written by anybody") }
    return try file.readWhole(limit: longest)
  }
}
