// SPDX-License-Identifier: Apache-2.0
public import DBus
public import NotificationModel

extension CenterEvent {
  /// The signals of the center's interface, one for each kind of event.
  public static let signals = [
    SignalDescription("Delivered", ["app": "s", "id": "s", "details": "a{sv}"]),
    SignalDescription("Responded", ["response": "t", "app": "s", "id": "s", "action": "s", "details": "a{sv}"]),
    SignalDescription("Closed", ["app": "s", "id": "s", "reason": "s"]),
    SignalDescription("Outcome", ["response": "t", "outcome": "s"]),
  ]

  // MARK: Encoding

  /// The event as a signal to one program: the user's choices are private.
  public func signal(to receiver: BusName) -> Signal {
    let (member, arguments): (MemberName, [Value]) =
      switch self {
      case .delivered(let app, let id, let due, let missed, let replaces):
        ("Delivered", [.string(app), .string(id), .properties(Self.details(due, missed, replaces: replaces))])
      case .responded(let response):
        (
          "Responded",
          [
            .uint64(response.number), .string(response.app), .string(response.id), .string(response.action),
            .properties(Self.details(response)),
          ]
        )
      case .closed(let app, let id, let reason): ("Closed", [.string(app), .string(id), .string(reason.rawValue)])
      case .outcome(let response, let outcome): ("Outcome", [.uint64(response), .string(outcome.description)])
      }
    return Signal(CenterBus.path, CenterBus.interface, member, arguments, to: receiver)
  }

  private static func details(_ response: Response) -> [String: Value] {
    var details = details(response.due, response.missed)
    if let reply = response.reply { details["reply"] = .string(reply) }
    if !response.userInfo.isEmpty {
      details["userInfo"] = (try? ValueEncoder().encodeProperties(response.userInfo)).map { .properties($0) }
    }
    return details
  }

  private static func details(_ due: String?, _ missed: Int, replaces: Bool = false) -> [String: Value] {
    var details: [String: Value] = [:]
    if let due { details["due"] = .string(due) }
    if missed > 0 { details["missedDates"] = .int64(Int64(missed)) }
    if replaces { details["replaces"] = true }
    return details
  }

  // MARK: Decoding

  /// Returns nil for a signal of another kind or with other types.
  public init?(_ signal: Signal) {
    let arguments = signal.arguments
    switch (signal.member.text, arguments.map(\.type.code).joined()) {
    case ("Delivered", "ssa{sv}"):
      let details = arguments[2].properties
      self = .delivered(
        app: arguments[0].string ?? "", id: arguments[1].string ?? "", due: details?["due"]?.string,
        missed: Self.missed(details), replaces: details?["replaces"] == .boolean(true))
    case ("Responded", "tsssa{sv}"):
      let details = arguments[4].properties
      self = .responded(
        Response(
          number: Self.number(arguments[0]), app: arguments[1].string ?? "", id: arguments[2].string ?? "",
          action: arguments[3].string ?? "", reply: details?["reply"]?.string, due: details?["due"]?.string,
          missed: Self.missed(details), userInfo: Self.userInfo(details)))
    case ("Closed", "sss"):
      let reason = RequestEnd(rawValue: arguments[2].string ?? "") ?? .unknown
      self = .closed(app: arguments[0].string ?? "", id: arguments[1].string ?? "", reason: reason)
    case ("Outcome", "ts"):
      self = .outcome(response: Self.number(arguments[0]), Outcome(arguments[1].string ?? ""))
    default: return nil
    }
  }

  private static func userInfo(_ details: [String: Value]?) -> [String: PlainValue] {
    details?["userInfo"]?.properties?.compactMapValues(PlainValue.init) ?? [:]
  }

  private static func missed(_ details: [String: Value]?) -> Int {
    details?["missedDates"]?.integer.flatMap { Int(exactly: $0) } ?? 0
  }

  private static func number(_ value: Value) -> UInt64 {
    if case .uint64(let number) = value { number } else { 0 }
  }
}
