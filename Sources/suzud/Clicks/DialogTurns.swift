// SPDX-License-Identifier: Apache-2.0
internal import NotificationModel

/// Gives each app one dialog at a time, so that it cannot cover the screen with windows. Further dialogs wait in a
/// queue.
struct DialogTurns {
  /// How many dialogs of one app may wait.
  static let mostWaiting = 20

  /// Every app with an open dialog has an entry: the dialogs that wait for it to close.
  private var waiting: [Identifier: [() -> Void]] = [:]

  /// Begins the app's turn; returns false if it has an open dialog.
  mutating func take(_ name: String) -> Bool {
    let app = Identifier(name)
    if waiting[app] != nil { return false }
    waiting[app] = []
    return true
  }

  /// Joins the queue, and calls `isNext` when it is its turn; returns false if the queue is full.
  mutating func wait(_ name: String, _ isNext: @escaping () -> Void) -> Bool {
    let app = Identifier(name)
    guard waiting[app, default: []].count < Self.mostWaiting else { return false }
    waiting[app]?.append(isNext)
    return true
  }

  /// The app's dialog has closed: the next one gets its turn.
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
