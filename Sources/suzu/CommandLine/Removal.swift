// SPDX-License-Identifier: Apache-2.0
internal import EventLoop
internal import Glibc
internal import NotificationModel
internal import Suzu

/// The shared part of `cancel` and `dismiss`: parsing ids and reporting unknown ones.
struct Removal {
  static let flags = [
    Flag("all", nil, "select all of the app's requests, and print how many"),
    Flag("app", "APP", completing: .apps, "name the app that owns them (default: \(NotificationRequest.defaultApp))"),
  ]

  let app: String
  /// Empty means all.
  let ids: [String]
  /// The start of the error message, such as `no pending request`.
  let missing: String

  init(_ arguments: Arguments, missing: String) throws(CommandError) {
    app = arguments.value("app") ?? NotificationRequest.defaultApp
    ids = arguments.words
    self.missing = missing
    switch (ids.isEmpty, arguments.has("all")) {
    case (true, false): throw .usage("an id or '--all' is missing")
    case (false, true): throw .usage("'--all' and '\(ids[0])' cannot be combined")
    default: break
    }
  }

  /// `remove` returns how many it removed; it must never be called without ids unless all are meant. `list` provides
  /// known ids for suggestions, and `hint` names the command that shows them.
  func run(
    _ remove: (_ app: String, _ ids: [String]) async throws -> Int,
    among list: (_ app: String) async throws -> [Listed], hint: String
  ) async throws -> Int32 {
    if ids.isEmpty {
      Console.print("\(try await remove(app, []))")
      return EX_OK
    }
    // One by one, to know which ids are unknown.
    var unknown: [String] = []
    for id in ids where try await remove(app, [id]) == 0 { unknown.append(id) }
    guard let first = unknown.first else { return EX_OK }
    let near = suggestion(for: first, among: ((try? await list(app)) ?? []).map(\.id))
    let names = unknown.map { "'\(PrintableText.line($0, atMost: 60))'" }.joined(separator: " or ")
    throw CommandError.data(
      "\(missing) is called \(names) (app \(PrintableText.line(app, atMost: 60)))\(near.isEmpty ? "; see '\(hint)'" : near)"
    )
  }
}
