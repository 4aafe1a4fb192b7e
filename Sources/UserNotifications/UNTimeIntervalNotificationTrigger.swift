// SPDX-License-Identifier: Apache-2.0
public import Foundation

/// Delivers a notification after some time, once or again and again.
///
/// ``UNUserNotificationCenter/add(_:)`` refuses an interval that is not positive, and one of less than 60 seconds that
/// repeats. On Apple's systems these end the program with an exception.
open class UNTimeIntervalNotificationTrigger: UNNotificationTrigger, @unchecked Sendable {
  // @unchecked: its own property is a constant, as are those of its superclass.
  /// The seconds until it fires. Whole seconds count: a fraction is rounded up.
  open var timeInterval: TimeInterval { own }
  private let own: TimeInterval

  /// Creates a trigger that fires so many seconds after the request is added.
  public init(timeInterval: TimeInterval, repeats: Bool) {
    own = timeInterval
    super.init(repeats: repeats)
  }

  init(timeInterval: TimeInterval, repeats: Bool, toldDate: Date?) {
    own = timeInterval
    super.init(repeats: repeats, toldDate: toldDate)
  }

  /// Decodes a trigger.
  public required init?(coder: NSCoder) {
    guard let interval = KeptValues(coder)?.number("timeInterval") else { return nil }
    own = interval
    super.init(coder: coder)
  }

  /// The next date: that of the pending request that it came from, otherwise as if its request were added now.
  open func nextTriggerDate() -> Date? {
    guard problem == nil else { return nil }
    let now = Date()
    guard var date = toldDate else { return now.addingTimeInterval(timeInterval) }
    if date > now { return date }
    guard repeats else { return nil }
    date.addTimeInterval((now.timeIntervalSince(date) / timeInterval).rounded(.up) * timeInterval)
    return date
  }

  /// Why no request with it can be added; nil if one can.
  var problem: String? {
    if !(timeInterval > 0) { return "time interval must be greater than 0" }
    if repeats && timeInterval < 60 { return "time interval must be at least 60 if repeating" }
    // The center keeps a hundred years.
    if timeInterval > 36_500 * 86_400 { return "time interval must be at most a hundred years" }
    return nil
  }

  override var kept: KeptValues { KeptValues(["repeats": repeats, "timeInterval": timeInterval]) }
}
