// SPDX-License-Identifier: Apache-2.0
public import DBus

/// The arguments of one `Notify`, as a client sends them and a server gets them.
public struct ServerNotification: Hashable, Sendable {
  /// A button, or the click on the notification itself.
  public struct Action: Hashable, Sendable {
    /// The key that the server reports; ``defaultKey`` and ``inlineReplyKey`` have meanings of their own.
    public var key: String
    /// The displayed text.
    public var label: String

    /// Makes a value from its parts.
    public init(key: String, label: String) {
      self.key = key
      self.label = label
    }
  }

  /// The level of urgency.
  public enum Urgency: UInt8, Sendable {
    /// The user may miss it.
    case low = 0
    /// The default.
    case normal = 1
    /// It does not expire by itself.
    case critical = 2
  }

  /// When the notification expires.
  public enum Expiry: Hashable, Sendable {
    /// The server decides.
    case serverDecides
    /// It never expires.
    case never
    /// It expires after that time.
    case after(Duration)

    init(milliseconds: Int32) {
      switch milliseconds {
      case 0: self = .never
      case 1...: self = .after(.milliseconds(milliseconds))
      default: self = .serverDecides
      }
    }

    var milliseconds: Int32 {
      switch self {
      case .serverDecides: return -1
      case .never: return 0
      case .after(let duration):
        let (seconds, attoseconds) = min(duration, .milliseconds(Int32.max)).components
        // Round very short durations up: zero would mean "never".
        return Int32(max(1, max(0, seconds) * 1000 + attoseconds / 1_000_000_000_000_000))
      }
    }
  }

  /// The key of a click on the notification itself.
  public static let defaultKey = "default"
  /// The key of the reply field, on servers that have one.
  public static let inlineReplyKey = "inline-reply"

  /// The program's name, as displayed.
  public var appName: String
  /// An icon theme name, a path or a file URL; may be empty.
  public var icon: String
  /// The headline: plain text on one line.
  public var summary: String
  /// The text; may contain markup if the server supports it.
  public var body: String
  /// The actions in drawing order.
  public var actions: [Action]
  /// All other properties.
  public var hints: [String: Value]
  /// When the notification expires.
  public var expiry: Expiry

  /// Makes a notification.
  public init(
    appName: String, icon: String = "", summary: String, body: String = "", actions: [Action] = [],
    hints: [String: Value] = [:], expiry: Expiry = .serverDecides
  ) {
    self.appName = appName
    self.icon = icon
    self.summary = summary
    self.body = body
    self.actions = actions
    self.hints = hints
    self.expiry = expiry
  }

  /// The hint `urgency` as any integer type (KNotifications sends an `i` where the specification says `y`).
  public var urgency: Urgency {
    guard let number = hints["urgency"]?.integer else { return .normal }
    return UInt8(exactly: number).flatMap { Urgency(rawValue: $0) } ?? .normal
  }

  /// The hint `value`, limited to 0...100.
  public var progress: Int? {
    hints["value"]?.integer.map { Int(min(max($0, 0), 100)) }
  }

  /// The hint `resident`: the notification stays after an action.
  public var isResident: Bool { hints["resident"]?.boolean ?? false }

  /// The actions as words: each key and its label.
  var actionWords: [String] { actions.flatMap { [$0.key, $0.label] } }

  /// Reads the words. An odd last word is a key without a label; several clients send one, and servers ignore it.
  static func actions(_ words: [String]) -> [Action] {
    stride(from: 0, to: words.count - 1, by: 2).map { Action(key: words[$0], label: words[$0 + 1]) }
  }
}
