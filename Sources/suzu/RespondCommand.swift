// SPDX-License-Identifier: Apache-2.0
internal import EventLoop
internal import Glibc
internal import NotificationModel
internal import Suzu

extension Verb {
  static let respond = Verb(
    name: "respond", synopsis: "ID ACTION [flags]",
    summary: "do as if a button had been pressed (status 65: it is not there)",
    flags: [
      Flag("reply", "TEXT", "what was typed, for an action that asks for it"),
      Flag("app", "APP", completing: .apps, "whose it is (\(NotificationRequest.usualApp), as of 'suzu notify')"),
    ],
    words: [.shownIDs, .actions, .nothing],
    examples: [
      "suzu respond backup again",
      "suzu respond standup default              (a click on the notification itself)",
      "suzu respond message answer --reply 'On my way' --app org.example.Chat",
    ]
  ) { arguments, loop in
    let words = arguments.words
    guard words.count >= 2 else {
      throw CommandError.usage(words.isEmpty ? "an id is missing" : "an action is missing")
    }
    if words.count > 2 { throw CommandError.usage("'\(words[2])' is one word too many") }
    let center = try await Center.connect(on: loop)
    try await center.respond(
      app: arguments.value("app") ?? NotificationRequest.usualApp, id: words[0], action: words[1],
      reply: arguments.value("reply"))
    return EX_OK
  }
}
