// SPDX-License-Identifier: Apache-2.0
public import DBus
public import NotificationModel

extension CenterEvent {
  /// The signals of the center's interface: one for each kind of event, and that of a ``StoredChange``.
  public static let signals: [any DescribedSignal] = [
    CenterSignals.delivered, CenterSignals.responded, CenterSignals.closed, CenterSignals.outcome,
    CenterSignals.changed,
  ]

  // MARK: Encoding

  /// The event as a signal to one program: the user's choices are private.
  public func signal(to receiver: BusName) -> Signal {
    func signal<each Argument: BusType>(
      _ description: SignalDescription<(repeat each Argument)>, _ arguments: repeat each Argument
    ) -> Signal {
      Signal(description, CenterBus.path, CenterBus.interface, to: receiver, repeat each arguments)
    }
    return switch self {
    case .delivered(let app, let id, let due, let missed, let replaces):
      signal(CenterSignals.delivered, app, id, Self.details(due, missed, replaces: replaces))
    case .responded(let response):
      signal(
        CenterSignals.responded, response.number, response.app, response.id, response.action, Self.details(response))
    case .closed(let app, let id, let reason): signal(CenterSignals.closed, app, id, reason.rawValue)
    case .outcome(let response, let outcome): signal(CenterSignals.outcome, response, outcome.description)
    }
  }

  private static func details(_ response: Response) -> [String: Value] {
    var details = response.details
    if let token = response.activationToken { details["activationToken"] = .string(token) }
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
    if let (app, id, details) = signal.arguments(as: CenterSignals.delivered) {
      self = .delivered(
        app: app, id: id, due: details["due"]?.string, missed: Self.missed(details),
        replaces: details["replaces"] == .boolean(true))
    } else if let (number, app, id, action, details) = signal.arguments(as: CenterSignals.responded) {
      var response = Response(number: number, app: app, id: id, action: action, details: details)
      response.activationToken = details["activationToken"]?.string
      self = .responded(response)
    } else if let (app, id, reason) = signal.arguments(as: CenterSignals.closed) {
      self = .closed(app: app, id: id, reason: RequestEnd(rawValue: reason) ?? .unknown)
    } else if let (response, outcome) = signal.arguments(as: CenterSignals.outcome) {
      self = .outcome(response: response, Outcome(outcome))
    } else {
      return nil
    }
  }

  private static func missed(_ details: [String: Value]) -> Int {
    details["missedDates"]?.integer.flatMap { Int(exactly: $0) } ?? 0
  }
}
