// SPDX-License-Identifier: Apache-2.0

/// The effects of the examples in `docs/PUSH.md`.
extension Effect {
  static let push: [Effect] = [
    Effect(
      "suzu category set tea", prints: "tea",
      after: [
        .posted("Tea"), .shown("Tea", ".*is ready.*Pour.*"), .chosen("Tea", "pour", "done"),
        .shell("suzu history tea --json", #""pot": ?"green""#),
      ]),
    Effect("kitchen-17", prints: id, after: [.posted("Tea is ready")]),
    Effect(
      "content-available", prints: id,
      after: [.shell("suzu history --app org.example.Mail", "silent push")]),
    Effect("mutable-content", prints: id, after: [.posted("New message")]),
    Effect("busctl", prints: "s \"tea\"", after: [.posted("Tea is ready")]),
  ]

  /// The file of the examples in the help of `suzu push`.
  static let teaFile = [
    "tea.apns": #"{"Simulator Target Bundle": "org.example.Tea", "aps": {"alert": "Tea is ready"}}"#
  ]
}
