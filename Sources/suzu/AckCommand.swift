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
      "It ends what --nag and --escalate show again, whether it is on the screen at that moment or not, and takes it from",
      "the screen. The next date of a request that repeats comes all the same. The history says 'acknowledged'.",
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
