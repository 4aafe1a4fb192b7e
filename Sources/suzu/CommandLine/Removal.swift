// SPDX-License-Identifier: Apache-2.0
internal import EventLoop
internal import Glibc
internal import NotificationModel
internal import Suzu

/// What `cancel` and `dismiss` have in common: the same words, and what is not there.
struct Removal {
  static let flags = [
    Flag("all", nil, "all of the app's; prints how many there were"),
    Flag("app", "APP", completing: .apps, "whose they are (\(NotificationRequest.usualApp), as of 'suzu notify')"),
  ]

  let app: String
  /// Empty for all.
  let ids: [String]
  /// For the complaint: `nothing that is pending`.
  let missing: String

  init(_ arguments: Arguments, missing: String) throws(CommandError) {
    app = arguments.value("app") ?? NotificationRequest.usualApp
    ids = arguments.words
    self.missing = missing
    switch (ids.isEmpty, arguments.has("all")) {
    case (true, false): throw .usage("an id is missing, or --all")
    case (false, true): throw .usage("--all and '\(ids[0])': one of them")
    default: break
    }
  }

  /// `remove` returns how many it found; it must never be asked for no ids, which means all. `list` tells which there are,
  /// for whoever mistyped one, and `hint` who else would.
  func run(
    _ remove: (_ app: String, _ ids: [String]) async throws -> Int,
    among list: (_ app: String) async throws -> [Listed], hint: String
  ) async throws -> Int32 {
    if ids.isEmpty {
      Console.print("\(try await remove(app, []))")
      return EX_OK
    }
    // One by one, since only so it is known which one was not there.
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
