// SPDX-License-Identifier: Apache-2.0

internal import NotificationModel

/// Where the answer to a push goes.
public struct AnswerRoute: Hashable, Sendable {
  /// The name of the link over which it goes.
  public let link: String
  /// What the link has said of the place.
  public let place: String

  /// A route.
  public init(link: String, place: String) { (self.link, self.place) = (link, place) }

  var text: String { PlainValue.list([.text(link), .text(place)]).json }

  init?(_ text: String) {
    guard case .list(let parts)? = try? JSONReader.read(text), parts.count == 2, case .text(let link) = parts[0],
      case .text(let place) = parts[1]
    else { return nil }
    self.init(link: link, place: place)
  }
}

/// What is kept of a push: its id, because a sender may send it twice, and until when it may be shown.
public struct PushRecord: Hashable, Sendable {
  /// The app that it is for.
  public let app: String
  /// The id that its sender gave it; nil if it gave none.
  public let id: String?
  /// The last moment to show it; nil if there is none.
  public let lapses: Timestamp?
  /// Where an answer goes; nil if it goes nowhere.
  public let route: AnswerRoute?

  /// A push.
  public init(app: String, id: String?, lapses: Timestamp?, route: AnswerRoute? = nil) {
    self.app = app
    self.id = id
    self.lapses = lapses
    self.route = route
  }

  /// Whether its last moment to be shown has passed.
  public func hasLapsed(at now: Timestamp) -> Bool { lapses.map { $0 <= now } ?? false }
}
