// SPDX-License-Identifier: Apache-2.0
internal import NotificationModel

/// One dialog at a time for each app: whatever it asks for, the screen is not covered with its windows. The next ones
/// wait for their turn.
struct DialogTurns {
  /// How many of an app may wait.
  static let mostWaiting = 20

  /// An app with an open dialog has an entry: those that wait for it to go.
  private var waiting: [Identifier: [() -> Void]] = [:]

  /// Takes the app's turn; false: a dialog of it is open.
  mutating func take(_ name: String) -> Bool {
    let app = Identifier(name)
    if waiting[app] != nil { return false }
    waiting[app] = []
    return true
  }

  /// Stands in line; it is then its turn. False: too many do already.
  mutating func wait(_ name: String, _ isNext: @escaping () -> Void) -> Bool {
    let app = Identifier(name)
    guard waiting[app, default: []].count < Self.mostWaiting else { return false }
    waiting[app]?.append(isNext)
    return true
  }

  /// The app's dialog is gone: it is the next one's turn.
  mutating func end(_ name: String) {
    let app = Identifier(name)
    guard let line = waiting[app], !line.isEmpty else {
      waiting[app] = nil
      return
    }
    waiting[app]?.removeFirst()
    line[0]()
  }
}

/// What a dialog is about.
struct DialogHeading: Hashable, Sendable {
  /// Whose it is, which anyone on the machine may read.
  let app: String
  /// What the notification says, which is private.
  let text: String
}
