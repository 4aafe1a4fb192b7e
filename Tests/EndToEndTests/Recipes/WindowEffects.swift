// SPDX-License-Identifier: Apache-2.0

/// The manual page of the window; SuzuWindowTests uses the window itself.
extension Effect {
  static let window: [Effect] = [
    Effect("--id up", prints: "up", after: [.shell("suzu list", "06:45 .*up +Get up +Mon..Fri 06:45")])
  ]
}
