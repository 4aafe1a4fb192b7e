// SPDX-License-Identifier: Apache-2.0
internal import CenterClient
internal import EventLoop
internal import Glibc
internal import NotificationModel

/// Writes the category files of a backup into the user's `categories.d`, where the center does not know their
/// categories.
struct RestoredCategoryFiles {
  /// The written files, with the ids in each.
  private(set) var written: [(path: String, ids: [String])] = []

  /// How long the center may take to read a new file.
  private static let longestWait: Duration = .seconds(10)

  /// Writes the files, and returns when the center knows their categories.
  mutating func write(_ files: [ExportedEverything.CategoryFile], for center: Center, on loop: EventLoop) async throws {
    let missing = try await Self.missing(files, center)
    if missing.isEmpty { return }
    let folder = try CategoryFolder()
    for name in Set(missing.map(\.name)).sorted() where access(folder.path(of: name), F_OK) == 0 {
      let ids = missing.filter { $0.name == name }.flatMap(\.categories).map { PrintableText.line($0.id, atMost: 60) }
      throw CommandError.data(
        "\(folder.path(of: name)) exists and does not define \(ids.joined(separator: ", ")); rename it, and import again"
      )
    }
    for (name, parts) in Dictionary(grouping: missing, by: \.name).sorted(by: { $0.key < $1.key }) {
      // A file is for one app, or for all; two files had the same name in two folders.
      for (number, part) in parts.enumerated() {
        let path = folder.path(of: number == 0 ? name : "\(name.dropLast(".json".count))-\(number + 1).json")
        try folder.make()
        try Console.replace(path, with: Self.text(part))
        written.append((path, part.categories.map(\.id)))
      }
    }
    let end = EventLoop.Clock.monotonic.now + Self.longestWait
    while try await !Self.missing(files, center).isEmpty {
      guard EventLoop.Clock.monotonic.now < end else {
        throw CommandError.unavailable(
          "the center does not read \(folder.path); see 'suzu doctor', and import again")
      }
      // The center sends no event when it has read a file.
      try await loop.sleep(for: .milliseconds(20))
    }
  }

  /// Removes the written files: the import failed.
  func remove() { for (path, _) in written { unlink(path) } }

  /// The files with those categories that the center does not know.
  private static func missing(
    _ files: [ExportedEverything.CategoryFile], _ center: Center
  ) async throws -> [ExportedEverything.CategoryFile] {
    if files.isEmpty { return [] }
    let known = try await center.categories()
    return files.compactMap { file in
      var file = file
      file.categories.removeAll { category in
        known.contains { one in
          // A category for every app serves each of them; one that an app registered serves that app.
          one.category.id.isIdentical(to: category.id)
            && (one.file != nil && one.app == nil || one.app != nil && one.app == file.app)
        }
      }
      return file.categories.isEmpty ? nil : file
    }
  }

  private static func text(_ file: ExportedEverything.CategoryFile) -> String {
    let categories = "[" + file.categories.map(\.plain.json).joined(separator: "\n,") + "]"
    guard let app = file.app else { return categories + "\n" }
    return "{\"app\":\(PlainValue.text(app).json),\"categories\":\(categories)}\n"
  }
}

/// The folder of the user's own category files.
struct CategoryFolder {
  let path: String
  private let settings: SettingsFolder

  init() throws(CommandError) {
    settings = try SettingsFolder(environment: ChildProcess.inheritedEnvironment())
    path = settings.path(of: "categories.d")
  }

  func path(of name: String) -> String { path + "/" + name }

  func make() throws(CommandError) {
    // The lock makes the folder around it.
    let lock = try settings.lock()
    defer { withExtendedLifetime(lock) {} }
    guard mkdir(path, 0o700) == 0 || errno == EEXIST else { throw .notWritten(path) }
  }
}
