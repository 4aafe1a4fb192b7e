// SPDX-License-Identifier: Apache-2.0
public import Foundation

/// The name of a sound file of the app, or of a sound of the theme.
public struct UNNotificationSoundName: RawRepresentable, Hashable, Sendable {
  /// The name.
  public let rawValue: String
  /// From a name.
  public init(rawValue: String) { self.rawValue = rawValue }
  /// From a name.
  public init(_ rawValue: String) { self.rawValue = rawValue }
}

/// The sound of a notification.
open class UNNotificationSound: NSObject, NSCopying, NSSecureCoding, @unchecked Sendable {
  // @unchecked: all properties are constants.

  /// What it is for.
  enum Kind: String {
    case usual, critical, ringtone
  }

  let kind: Kind
  /// Nil for the usual sound.
  let name: UNNotificationSoundName?
  /// From 0 to 1; nil for the usual one. Kept for the app: a notification server plays at its own volume.
  let volume: Float?

  init(_ kind: Kind, _ name: UNNotificationSoundName?, volume: Float? = nil) {
    self.kind = kind
    self.name = name
    self.volume = volume
    super.init()
  }

  /// A sound file of the app: in its bundle, or in `Library/Sounds` or `.local/share/sounds` of the home; otherwise a
  /// sound with this name in the sound theme.
  public convenience init(named name: UNNotificationSoundName) { self.init(.usual, name) }

  /// The usual sound.
  open class var `default`: UNNotificationSound { UNNotificationSound(.usual, nil) }
  /// The usual sound of a critical alert.
  open class var defaultCritical: UNNotificationSound { UNNotificationSound(.critical, nil) }
  /// The usual ringtone. It sounds like the usual sound.
  open class var defaultRingtone: UNNotificationSound { UNNotificationSound(.ringtone, nil) }

  /// The usual sound of a critical alert. The server plays it at its own volume.
  open class func defaultCriticalSound(withAudioVolume volume: Float) -> UNNotificationSound {
    UNNotificationSound(.critical, nil, volume: volume)
  }

  /// A sound file for a critical alert.
  open class func criticalSoundNamed(_ name: UNNotificationSoundName) -> UNNotificationSound {
    UNNotificationSound(.critical, name)
  }

  /// A sound file for a critical alert. The server plays it at its own volume.
  open class func criticalSoundNamed(
    _ name: UNNotificationSoundName, withAudioVolume volume: Float
  ) -> UNNotificationSound {
    UNNotificationSound(.critical, name, volume: volume)
  }

  /// A sound file for a call. It is played once, like others.
  open class func ringtoneSoundNamed(_ name: UNNotificationSoundName) -> UNNotificationSound {
    UNNotificationSound(.ringtone, name)
  }

  // MARK: Keeping

  convenience init?(kept: KeptValues) {
    guard let kind = kept.text("kind").flatMap(Kind.init) else { return nil }
    self.init(
      kind, kept.text("name").map { UNNotificationSoundName($0) }, volume: kept.number("volume").map { Float($0) })
  }

  var kept: KeptValues {
    KeptValues(["kind": kind.rawValue, "name": name?.rawValue, "volume": volume.map { Double($0) }])
  }

  /// Decodes a sound.
  public required convenience init?(coder: NSCoder) {
    guard let kept = KeptValues(coder) else { return nil }
    self.init(kept: kept)
  }

  /// Sounds can be archived.
  open class var supportsSecureCoding: Bool { true }
  /// Archives the sound.
  open func encode(with coder: NSCoder) { kept.encode(with: coder) }
  /// Returns the sound itself, which never changes.
  open func copy(with zone: NSZone? = nil) -> Any { self }
  /// Whether both are the same sound.
  open override func isEqual(_ object: Any?) -> Bool { (object as? UNNotificationSound)?.kept == kept }
  /// The hash of its name.
  open override var hash: Int { name.hashValue }
}
