// SPDX-License-Identifier: Apache-2.0
public import DBus
public import NotificationModel

/// A response as the only parameter of `org.freedesktop.Application.ActivateAction`, for an app that the bus starts.
/// Its activation token is in the call's platform data.
extension Response {
  /// The response as an `a{sv}`.
  public var properties: [String: Value] {
    var properties = details
    properties["response"] = .uint64(number)
    properties["app"] = .string(app)
    properties["id"] = .string(id)
    properties["action"] = .string(action)
    // Always there, so that apps need not ask for it.
    if userInfo.isEmpty { properties["userInfo"] = .properties([:]) }
    return properties
  }

  /// Reads an `a{sv}`; nil if it is no response.
  public init?(_ properties: [String: Value], activationToken: String? = nil) {
    guard case .uint64(let number)? = properties["response"], let app = properties["app"]?.string,
      let id = properties["id"]?.string, let action = properties["action"]?.string
    else { return nil }
    self.init(number: number, app: app, id: id, action: action, details: properties)
    self.activationToken = activationToken
  }

  /// What the response has in addition to its number and names, where it applies.
  var details: [String: Value] {
    var details: [String: Value] = [:]
    if let due { details["due"] = .string(due) }
    if missed > 0 { details["missedDates"] = .int64(Int64(missed)) }
    if let reply { details["reply"] = .string(reply) }
    if !userInfo.isEmpty {
      details["userInfo"] = (try? ValueEncoder().encodeProperties(userInfo)).map { .properties($0) }
    }
    if !event.isEmpty { details["event"] = .properties(event.mapValues { .string($0) }) }
    return details
  }

  init(number: UInt64, app: String, id: String, action: String, details: [String: Value]) {
    self.init(
      number: number, app: app, id: id, action: action, reply: details["reply"]?.string, due: details["due"]?.string,
      missed: details["missedDates"]?.integer.flatMap { Int(exactly: $0) } ?? 0,
      userInfo: details["userInfo"]?.properties?.compactMapValues(PlainValue.init) ?? [:],
      event: details["event"]?.properties?.compactMapValues(\.string) ?? [:])
  }
}
