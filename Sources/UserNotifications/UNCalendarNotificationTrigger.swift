// SPDX-License-Identifier: Apache-2.0
public import Foundation

/// Delivers a notification at the dates with some components, such as each Monday at 7:00.
///
/// The dates are computed from the time zone files of the system, not by `Calendar`, which skips a whole day where the
/// clocks skip a part of an hour. Without a time zone in the components, they follow the zone of the machine.
open class UNCalendarNotificationTrigger: UNNotificationTrigger, @unchecked Sendable {
  // @unchecked: its own property is a constant, as are those of its superclass.
  private let own: DateComponents

  /// The components that a date must have.
  open var dateComponents: DateComponents { own }

  /// Creates a trigger that fires at the next date with these components, or at all of them.
  public init(dateMatching dateComponents: DateComponents, repeats: Bool) {
    own = dateComponents
    super.init(repeats: repeats)
  }

  init(dateMatching dateComponents: DateComponents, repeats: Bool, toldDate: Date?) {
    own = dateComponents
    super.init(repeats: repeats, toldDate: toldDate)
  }

  /// Decodes a trigger.
  public required init?(coder: NSCoder) {
    guard let components = KeptValues(coder)?.values("components") else { return nil }
    own = DateComponents(kept: components)
    super.init(coder: coder)
  }

  /// The next date with these components; nil if there is none any more.
  open func nextTriggerDate() -> Date? { dateComponents.nextMatch(after: Date()) }

  override var kept: KeptValues { KeptValues(["repeats": repeats, "components": dateComponents.kept.values]) }
}
