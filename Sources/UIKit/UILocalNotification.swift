// SPDX-License-Identifier: Apache-2.0
public import CoreLocation
public import Foundation
internal import RunningApp
internal import Synchronization

/// The usual sound.
public let UILocalNotificationDefaultSoundName = "UILocalNotificationDefaultSoundName"

/// A notification of an app, in the older form: what it shows and when.
open class UILocalNotification: NSObject, NSCopying, NSSecureCoding, @unchecked Sendable {
  // @unchecked: all values are behind the lock.
  struct Values: @unchecked Sendable {
    /// What the center knows it by, once it is scheduled.
    var id: String?
    var fireDate: Date?
    var timeZone: TimeZone?
    var repeatInterval: NSCalendar.Unit = []
    var repeatCalendar: Calendar?
    var alertBody: String?
    var alertTitle: String?
    var alertAction: String?
    var hasAction = true
    var alertLaunchImage: String?
    var soundName: String?
    var applicationIconBadgeNumber = 0
    var userInfo: [AnyHashable: Any]?
    var category: String?
    var region: CLRegion?
    var regionTriggersOnce = true
  }

  let guarded: Guarded<Values>
  /// Whether the delegate has no method with a handler for its actions.
  let isUnhandled = Atomic(false)
  /// Whether the delegate released such a handler without calling it.
  let isUnanswered = Atomic(false)

  /// Creates a notification without values.
  public override init() {
    guarded = Guarded(Values())
    super.init()
  }

  init(_ values: Values) {
    guarded = Guarded(values)
    super.init()
  }

  var values: Values { guarded.withLock { $0 } }
  private func change(_ change: (inout Values) -> Void) { guarded.withLock { change(&$0) } }

  // MARK: When

  /// When it is shown; nil for at once, and so is a date that has passed.
  open var fireDate: Date? {
    get { values.fireDate }
    set { change { $0.fireDate = newValue } }
  }
  /// The zone in which ``fireDate`` is a time of the clock; nil for a moment that stays the same when the machine
  /// changes its zone.
  open var timeZone: TimeZone? {
    get { values.timeZone }
    set { change { $0.timeZone = newValue } }
  }
  /// What it repeats by: one unit from a minute to a year; none for once.
  open var repeatInterval: NSCalendar.Unit {
    get { values.repeatInterval }
    set { change { $0.repeatInterval = newValue } }
  }
  /// The calendar of the repetition. Only the Gregorian one repeats.
  open var repeatCalendar: Calendar? {
    get { values.repeatCalendar }
    set { change { $0.repeatCalendar = newValue } }
  }
  /// The region that it waits for, in place of a date.
  open var region: CLRegion? {
    get { values.region }
    set { change { $0.region = newValue } }
  }
  /// Whether it is shown only the first time.
  open var regionTriggersOnce: Bool {
    get { values.regionTriggersOnce }
    set { change { $0.regionTriggersOnce = newValue } }
  }

  // MARK: What

  /// The text. Without one, only the badge is set and the sound is played.
  open var alertBody: String? {
    get { values.alertBody }
    set { change { $0.alertBody = newValue } }
  }
  /// The headline; the text if there is none.
  open var alertTitle: String? {
    get { values.alertTitle }
    set { change { $0.alertTitle = newValue } }
  }
  /// The label of a button that opens the app. Kept for the app: a click on the notification opens it.
  open var alertAction: String? {
    get { values.alertAction }
    set { change { $0.alertAction = newValue } }
  }
  /// Whether there is such a button. Kept for the app, without effect.
  open var hasAction: Bool {
    get { values.hasAction }
    set { change { $0.hasAction = newValue } }
  }
  /// The name of an image of an app that a click starts. Kept for the app, without effect.
  open var alertLaunchImage: String? {
    get { values.alertLaunchImage }
    set { change { $0.alertLaunchImage = newValue } }
  }
  /// A sound file of the app, or ``UILocalNotificationDefaultSoundName``; nil for none.
  open var soundName: String? {
    get { values.soundName }
    set { change { $0.soundName = newValue } }
  }
  /// The number on the app's launcher; 0 keeps it.
  open var applicationIconBadgeNumber: Int {
    get { values.applicationIconBadgeNumber }
    set { change { $0.applicationIconBadgeNumber = newValue } }
  }
  /// Values of the app: strings, numbers, dates, data, arrays and dictionaries.
  open var userInfo: [AnyHashable: Any]? {
    get { values.userInfo }
    set { change { $0.userInfo = newValue } }
  }
  /// The category, which has the actions.
  open var category: String? {
    get { values.category }
    set { change { $0.category = newValue } }
  }

  // MARK: Copies

  /// Returns a copy.
  open func copy(with zone: NSZone? = nil) -> Any { UILocalNotification(values) }
  /// Notifications can be archived.
  open class var supportsSecureCoding: Bool { true }
  /// Archives the notification.
  open func encode(with coder: NSCoder) {
    if let data = try? PropertyListSerialization.data(fromPropertyList: kept, format: .binary, options: 0) {
      coder.encode(NSData(data: data), forKey: "notification")
    }
  }
  /// Decodes a notification.
  public required convenience init?(coder: NSCoder) {
    guard let data = coder.decodeObject(of: NSData.self, forKey: "notification"),
      let kept = try? PropertyListSerialization.propertyList(from: Data(referencing: data), format: nil)
        as? [String: Any]
    else { return nil }
    self.init(kept: kept)
  }
  /// Whether both have the same values.
  open override func isEqual(_ object: Any?) -> Bool {
    guard let other = object as? UILocalNotification else { return false }
    return NSDictionary(dictionary: kept).isEqual(NSDictionary(dictionary: other.kept))
      && NSDictionary(dictionary: userInfo ?? [:]).isEqual(NSDictionary(dictionary: other.userInfo ?? [:]))
  }
  /// The hash of its texts.
  open override var hash: Int { [alertTitle, alertBody].hashValue }
}
