// SPDX-License-Identifier: Apache-2.0

extension ListedRequest {
  /// A step of `escalate` that sends the notification elsewhere, and its result.
  public struct Push: Hashable, Sendable {
    /// The number of the step, from 1.
    public let step: Int
    /// The name of the link; nil for the only one that sends.
    public let link: String?
    /// Its result so far.
    public let state: State
    /// When it got this result; nil if it waits.
    public let at: String?
    /// Why it waits or has failed; nil if there is nothing to say.
    public let detail: String?

    /// The state of a push. Later versions may have more.
    public struct State: RawRepresentable, Hashable, Sendable {
      /// The name of the state.
      public let rawValue: String
      /// The state with this name.
      public init(rawValue: String) { self.rawValue = rawValue }

      /// It waits to be sent.
      public static let waiting = State(rawValue: "waiting")
      /// A server has taken it.
      public static let sent = State(rawValue: "sent")
      /// It cannot be sent.
      public static let failed = State(rawValue: "failed")
      /// It could not be sent within a day.
      public static let lapsed = State(rawValue: "lapsed")
      /// The notification was answered or cancelled first.
      public static let unneeded = State(rawValue: "unneeded")
    }

    package init(step: Int, link: String?, state: State, at: String?, detail: String?) {
      self.step = step
      self.link = link
      self.state = state
      self.at = at
      self.detail = detail
    }
  }

  /// The steps that have come and send it elsewhere, in their order.
  public package(set) var pushes: [Push] {
    get {
      guard case .list(let values)? = words[ListingKey.pushes.rawValue] else { return [] }
      return values.compactMap(Push.init)
    }
    set { words[ListingKey.pushes.rawValue] = newValue.isEmpty ? nil : .list(newValue.map(\.plain)) }
  }
}

extension ListedRequest.Push {
  /// The result in words, without its date.
  public var words: String {
    // A reason that quotes the name of the link is enough: 'no link 'phone' sends'.
    let isInReason = link.map { detail?.contains("'\($0)'") == true } ?? false
    let target = isInReason ? "" : link.map { " to '\($0)'" } ?? ""
    let reason = detail.map { ": \($0)" } ?? ""
    return switch state {
    case .sent: "sent\(target)"
    case .waiting: "waits to be sent\(target)\(reason)"
    case .failed: "could not be sent\(target)\(reason)"
    case .lapsed: "could not be sent\(target) within a day\(reason)"
    case .unneeded: "not sent\(target), because it was answered or taken back first"
    default: "\(state.rawValue)\(target)\(reason)"
    }
  }

  fileprivate var plain: PlainValue {
    var words: [String: PlainValue] = ["step": .integer(Int64(step)), "state": .text(state.rawValue)]
    words["link"] = link.map { .text($0) }
    words["at"] = at.map { .text($0) }
    words["detail"] = detail.map { .text($0) }
    return .dictionary(words)
  }

  fileprivate init?(_ value: PlainValue) {
    guard case .dictionary(let words) = value, case .integer(let step)? = words["step"],
      case .text(let state)? = words["state"]
    else { return nil }
    func text(_ key: String) -> String? { if case .text(let text)? = words[key] { text } else { nil } }
    self.init(
      step: Int(clamping: step), link: text("link"), state: State(rawValue: state), at: text("at"),
      detail: text("detail"))
  }
}
