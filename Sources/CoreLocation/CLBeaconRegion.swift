// SPDX-License-Identifier: Apache-2.0
public import Foundation

/// The identity that beacons send: their UUID, and their group and number if these count.
open class CLBeaconIdentityConstraint: NSObject, NSCopying, NSSecureCoding, @unchecked Sendable {
  // @unchecked: all properties are constants.

  private let own: (uuid: UUID, major: CLBeaconMajorValue?, minor: CLBeaconMinorValue?)

  /// The UUID.
  open var uuid: UUID { own.uuid }
  /// The number of the group; nil for any.
  open var major: CLBeaconMajorValue? { own.major }
  /// The number within the group; nil for any.
  open var minor: CLBeaconMinorValue? { own.minor }

  init(_ uuid: UUID, _ major: CLBeaconMajorValue?, _ minor: CLBeaconMinorValue?) {
    own = (uuid, major, minor)
    super.init()
  }

  /// All beacons with a UUID.
  public convenience init(uuid: UUID) { self.init(uuid, nil, nil) }
  /// All beacons of a group.
  public convenience init(uuid: UUID, major: CLBeaconMajorValue) { self.init(uuid, major, nil) }
  /// One beacon.
  public convenience init(uuid: UUID, major: CLBeaconMajorValue, minor: CLBeaconMinorValue) {
    self.init(uuid, major, minor)
  }

  /// Decodes an identity.
  public required convenience init?(coder: NSCoder) {
    guard let text = coder.decodeObject(of: NSString.self, forKey: "uuid"), let uuid = UUID(uuidString: String(text))
    else { return nil }
    let numbers = ["major", "minor"].map { coder.containsValue(forKey: $0) ? coder.decodeInteger(forKey: $0) : nil }
    self.init(uuid, numbers[0].flatMap { UInt16(exactly: $0) }, numbers[1].flatMap { UInt16(exactly: $0) })
  }

  /// Identities can be archived.
  open class var supportsSecureCoding: Bool { true }
  /// Archives the identity.
  open func encode(with coder: NSCoder) {
    coder.encode(NSString(string: uuid.uuidString), forKey: "uuid")
    if let major { coder.encode(Int(major), forKey: "major") }
    if let minor { coder.encode(Int(minor), forKey: "minor") }
  }
  /// Returns the identity itself, which never changes.
  open func copy(with zone: NSZone? = nil) -> Any { self }
  /// Whether both have the same values.
  open override func isEqual(_ object: Any?) -> Bool {
    guard let other = object as? CLBeaconIdentityConstraint else { return false }
    return (other.uuid, other.major, other.minor) == (uuid, major, minor)
  }
  /// The hash of the UUID.
  open override var hash: Int { uuid.hashValue }
}

/// What is near a beacon.
open class CLBeaconRegion: CLRegion, @unchecked Sendable {
  // @unchecked: its own property is a constant.
  /// The identity of its beacons.
  open var beaconIdentityConstraint: CLBeaconIdentityConstraint { own }
  private let own: CLBeaconIdentityConstraint
  /// Without effect: the display being switched on is not noticed.
  open var notifyEntryStateOnDisplay: Bool {
    get { false }
    set {}
  }

  /// The UUID.
  open var uuid: UUID { beaconIdentityConstraint.uuid }
  /// The UUID, by its older name.
  open var proximityUUID: UUID { uuid }
  /// The number of the group; nil for any.
  open var major: NSNumber? { beaconIdentityConstraint.major.map { NSNumber(value: $0) } }
  /// The number within the group; nil for any.
  open var minor: NSNumber? { beaconIdentityConstraint.minor.map { NSNumber(value: $0) } }

  /// What is near beacons of an identity.
  public init(beaconIdentityConstraint: CLBeaconIdentityConstraint, identifier: String) {
    own = beaconIdentityConstraint
    super.init(identifier: identifier)
  }

  /// What is near beacons with a UUID.
  public convenience init(uuid: UUID, identifier: String) {
    self.init(beaconIdentityConstraint: CLBeaconIdentityConstraint(uuid: uuid), identifier: identifier)
  }

  /// What is near beacons of a group.
  public convenience init(uuid: UUID, major: CLBeaconMajorValue, identifier: String) {
    self.init(beaconIdentityConstraint: CLBeaconIdentityConstraint(uuid: uuid, major: major), identifier: identifier)
  }

  /// What is near one beacon.
  public convenience init(uuid: UUID, major: CLBeaconMajorValue, minor: CLBeaconMinorValue, identifier: String) {
    self.init(
      beaconIdentityConstraint: CLBeaconIdentityConstraint(uuid: uuid, major: major, minor: minor),
      identifier: identifier)
  }

  /// What is near beacons with a UUID, by its older name.
  public convenience init(proximityUUID: UUID, identifier: String) {
    self.init(uuid: proximityUUID, identifier: identifier)
  }

  /// What is near beacons of a group, by its older name.
  public convenience init(proximityUUID: UUID, major: CLBeaconMajorValue, identifier: String) {
    self.init(uuid: proximityUUID, major: major, identifier: identifier)
  }

  /// What is near one beacon, by its older name.
  public convenience init(
    proximityUUID: UUID, major: CLBeaconMajorValue, minor: CLBeaconMinorValue, identifier: String
  ) {
    self.init(uuid: proximityUUID, major: major, minor: minor, identifier: identifier)
  }

  static func region(_ kept: [String: Any]) -> CLBeaconRegion? {
    guard let identifier = kept["identifier"] as? String,
      let uuid = (kept["uuid"] as? String).flatMap(UUID.init(uuidString:))
    else { return nil }
    let (major, minor) = (kept["major"] as? NSNumber, kept["minor"] as? NSNumber)
    let constraint = CLBeaconIdentityConstraint(uuid, major?.uint16Value, minor?.uint16Value)
    return CLBeaconRegion(beaconIdentityConstraint: constraint, identifier: identifier)
  }

  package override var kept: [String: Any] {
    var kept = super.kept
    kept["uuid"] = uuid.uuidString
    if let major { kept["major"] = major }
    if let minor { kept["minor"] = minor }
    return kept
  }

  /// Decodes a region.
  public required init?(coder: NSCoder) {
    guard let read = Self.region(Self.kept(coder)) else { return nil }
    own = read.own
    super.init(coder: coder)
  }
}
