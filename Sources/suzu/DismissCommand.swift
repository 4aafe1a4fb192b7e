// SPDX-License-Identifier: Apache-2.0
internal import CenterClient
internal import EventLoop

extension Verb {
  static let dismiss = Verb(
    name: "dismiss", synopsis: "ID…|TITLE…|--all [flags]",
    summary: "remove notifications from the screen (status 65: no such notification)",
    flags: Removal.flags,
    words: [.shownIDs],
    examples: [
      "suzu dismiss upload",
      "suzu dismiss --all",
    ]
  ) { arguments, loop in
    let removal = try Removal(arguments, from: .delivered, verb: "dismiss", done: "dismissed")
    if let status = try await HomeRemoval(removal, "dismiss").run(on: loop) { return status }
    let center = try await Center.connect(on: loop)
    return try await removal.run(on: center) { app, ids in try await center.dismiss(app: app, ids: ids) }
  }
}
