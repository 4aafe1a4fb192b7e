// SPDX-License-Identifier: Apache-2.0
internal import NotificationModel

/// The title and text of a dialog.
struct DialogHeading: Hashable, Sendable {
  /// The app's name. Other users on the machine may be able to read it.
  let app: String
  /// The action and the title of the notification, which are private.
  let text: String
  /// The title and the body of the notification, which are private.
  var notification = ""

  /// The text of a dialog that asks for a line. The programs that draw it take it from their command line.
  ///
  /// - Parameter isReadByOthers: whether other people can read command lines.
  func question(_ input: Action.Input, isReadByOthers: Bool) -> String {
    if isReadByOthers || notification.isEmpty { return "Your answer to \(app):" }
    return "\(notification)\n\n\(input.placeholder ?? "Your answer:")"
  }
}
