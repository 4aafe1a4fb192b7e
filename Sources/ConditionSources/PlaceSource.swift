// SPDX-License-Identifier: Apache-2.0
internal import DBus
internal import EventLoop
internal import NotificationModel
internal import Scheduling

/// Whether the machine is inside of a circle.
final class PlaceSource: ConditionSource {
  var whenObserved: (Condition.Subject, Observation) -> Void = { _, _ in }
  private var subjects: Set<Condition.Subject> = []
  private let feed: PositionFeed
  private let places: NamedPlaces
  private var follower: Int?

  init(_ feed: PositionFeed, _ places: NamedPlaces) {
    self.feed = feed
    self.places = places
    places.whenChanged = { [weak self] in self?.reportAll() }
  }

  func observes(_ subject: Condition.Subject) -> Bool { if case .place = subject { true } else { false } }

  func refusal(of subject: Condition.Subject) -> String? {
    guard let circle = circle(of: subject) else { return unknownName(subject) }
    guard case .known(let position)? = feed.state else { return nil }
    return Self.inaccuracy(position, circle)
  }

  func watch(_ subject: Condition.Subject) {
    subjects.insert(subject)
    if follower == nil {
      follower = feed.follow { [weak self] _ in self?.reportAll() }
    } else {
      feed.retry()
      report(subject)
    }
  }

  func unwatch(_ subject: Condition.Subject) {
    subjects.remove(subject)
    guard subjects.isEmpty, let follower else { return }
    feed.unfollow(follower)
    self.follower = nil
  }

  private struct Circle {
    let latitude: Double
    let longitude: Double
    let radius: Double
    let name: String
  }

  private func circle(of subject: Condition.Subject) -> Circle? {
    switch subject {
    case .place(.circle(let latitude, let longitude, let radius)):
      return Circle(latitude: latitude, longitude: longitude, radius: radius, name: "\(latitude),\(longitude)")
    case .place(.named(let name)):
      guard let place = places[name] else { return nil }
      return Circle(latitude: place.latitude, longitude: place.longitude, radius: place.radius, name: name)
    default: return nil
    }
  }

  private func unknownName(_ subject: Condition.Subject) -> String {
    guard case .place(.named(let name)) = subject else { return "it is not a place" }
    return "no place has the name '\(name)'; add it with 'suzu place add'"
  }

  private func reportAll() { for subject in subjects { report(subject) } }

  private func report(_ subject: Condition.Subject) {
    guard let circle = circle(of: subject) else { return whenObserved(subject, .unknown(unknownName(subject))) }
    switch feed.state {
    case nil: break
    case .unknown(let reason): whenObserved(subject, .unknown(reason))
    case .known(let position):
      if let problem = Self.inaccuracy(position, circle) { return whenObserved(subject, .unknown(problem)) }
      let distance = position.distance(toLatitude: circle.latitude, longitude: circle.longitude)
      whenObserved(
        subject,
        .distance(distance, radius: circle.radius, accuracy: position.accuracy, event: ["place": circle.name]))
    }
  }

  /// The problem of a circle that the machine may be inside of, or not, without that anything could tell.
  private static func inaccuracy(_ position: Position, _ circle: Circle) -> String? {
    let distance = position.distance(toLatitude: circle.latitude, longitude: circle.longitude)
    guard position.accuracy > circle.radius, distance - position.accuracy <= circle.radius else { return nil }
    return
      "the position is accurate to \(position.wholeAccuracy) m only; the radius is \(Int(circle.radius)) m, "
      + "and must not be smaller than that"
  }
}
