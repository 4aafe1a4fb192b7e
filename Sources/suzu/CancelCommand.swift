// SPDX-License-Identifier: Apache-2.0
internal import CenterClient
internal import EventLoop

extension Verb {
  static let cancel = Verb(
    name: "cancel", synopsis: "ID…|TITLE…|--all [flags]",
    summary: "cancel requests that are not on the screen yet (status 65: no such request)", flags: Removal.flags,
    words: [.pendingIDs],
    notes: [
      "With a request that repeats, the copy that a button has postponed (ID.snoozed) is cancelled, too. If one of several",
      "is unknown, the others are still cancelled, and the error says how many were. A notification that is shown",
      "again until it is answered stays on the screen, and does not come again.",
    ],
    examples: [
      "suzu cancel tea",
      "suzu cancel 'Tea is ready'                    (if one pending request has this title)",
      "suzu cancel --all --app org.example.Tea",
      "suzu list --app org.example.Tea --json | jq -r '.[].id' | xargs suzu cancel --app org.example.Tea --",
    ]
  ) { arguments, loop in
    let removal = try Removal(arguments, from: .pending, verb: "cancel", done: "cancelled")
    if let status = try await HomeRemoval(removal, "cancel").run(on: loop) { return status }
    let center = try await Center.connect(on: loop)
    return try await removal.run(on: center) { app, ids in try await center.cancel(app: app, ids: ids) }
  }
}
