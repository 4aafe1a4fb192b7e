// SPDX-License-Identifier: Apache-2.0
internal import NotificationModel

/// The handlers that have switched something on for their apps, one for each app.
struct AppHandlers {
  private var handlers: [Identifier: Caller] = [:]

  subscript(app: AppID) -> Caller? { handlers[Identifier(app)] }

  /// Adds the attached handler of an app.
  mutating func add(_ caller: Caller, of app: String, in audience: any Audience) throws(CenterError) {
    guard audience.handler(of: app) == caller else {
      throw CenterError(.notFound, "the caller is not the handler of '\(DisplayText.line(app))': call Attach first")
    }
    handlers[Identifier(app)] = caller
  }

  /// Removes the caller as a handler of the app; another handler stays.
  mutating func remove(_ caller: Caller, of app: String) {
    if handlers[Identifier(app)] == caller { handlers[Identifier(app)] = nil }
  }

  /// A caller left the bus.
  mutating func forget(_ caller: Caller) { handlers = handlers.filter { $0.value != caller } }
}
