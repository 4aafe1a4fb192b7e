// SPDX-License-Identifier: Apache-2.0
public import CoreLocation
public import Foundation

/// Delivers a notification when the machine enters or leaves a region.
open class UNLocationNotificationTrigger: UNNotificationTrigger, @unchecked Sendable {
  // @unchecked: its own property is a constant, as are those of its superclass.
  /// The region: a circle, or what is near a beacon. Its `notifyOnEntry` and `notifyOnExit` say which change counts.
  open var region: CLRegion { own }
  private let own: CLRegion

  /// Creates a trigger that fires the next time, or each time.
  public init(region: CLRegion, repeats: Bool) {
    // As it is now: a region can be changed afterwards.
    own = region.copy() as? CLRegion ?? region
    super.init(repeats: repeats)
  }

  /// Decodes a trigger.
  public required init?(coder: NSCoder) {
    guard let values = KeptValues(coder)?.values("region"), let region = CLRegion.region(kept: values.values) else {
      return nil
    }
    own = region
    super.init(coder: coder)
  }

  override var kept: KeptValues { KeptValues(["repeats": repeats, "region": region.kept]) }
}
