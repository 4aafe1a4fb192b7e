// SPDX-License-Identifier: Apache-2.0
internal import EventLoop
internal import Suzu

extension Verb {
  static let dismiss = Verb(
    name: "dismiss", synopsis: "ID…|--all [flags]",
    summary: "remove notifications from the screen (status 65: no such notification)",
    flags: Removal.flags,
    words: [.shownIDs],
    examples: [
      "suzu dismiss upload",
      "suzu dismiss --all",
    ]
  ) { arguments, loop in
    let removal = try Removal(arguments, missing: "no notification on the screen")
    let center = try await Center.connect(on: loop)
    return try await removal.run(
      { app, ids in try await center.dismiss(app: app, ids: ids) },
      among: { app in try await center.delivered(app: app, limit: 1000) }, hint: "suzu list --delivered")
  }
}
