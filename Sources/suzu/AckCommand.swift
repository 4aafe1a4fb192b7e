// SPDX-License-Identifier: Apache-2.0
internal import CenterClient
internal import EventLoop

extension Verb {
  static let ack = Verb(
    name: "ack", synopsis: "ID…|TITLE…|--all [flags]",
    summary: "acknowledge notifications, so that they are not shown again (status 65: no such notification)",
    flags: Removal.flags,
    words: [.shownIDs],
    notes: [
      "This stops --nag and --escalate, and removes the notification if it is on the screen; the history says",
      "'acknowledged'. A repeating request still has its next date.",
    ],
    examples: [
      "suzu ack alarm",
      "suzu ack 'Take the blue pill'                 (if one notification has this title)",
    ]
  ) { arguments, loop in
    let removal = try Removal(arguments, from: .delivered, verb: "ack", done: "acknowledged")
    let center = try await Center.connect(on: loop)
    return try await removal.run(on: center) { app, ids in try await center.acknowledge(app: app, ids: ids) }
  }
}
