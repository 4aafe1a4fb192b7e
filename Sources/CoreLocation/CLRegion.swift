// SPDX-License-Identifier: Apache-2.0
public import Foundation
internal import Synchronization

/// Whether the machine is in a region.
#if hasAttribute(nonexhaustive)
  @nonexhaustive
#endif
public enum CLRegionState: Int, Sendable {
  /// Not known.
  case unknown
  /// It is.
  case inside
  /// It is not.
  case outside
}

/// Something that the machine enters and leaves; the superclass of circles and beacons.
open class CLRegion: NSObject, NSCopying, NSSecureCoding, @unchecked Sendable {
  // @unchecked: the other properties are constants.
  private let counting = Mutex((entry: true, exit: true))

  /// The name of the region.
  open var identifier: String { name }
  private let name: String

  /// Whether entering it counts.
  open var notifyOnEntry: Bool {
    get { counting.withLock { $0.entry } }
    set { counting.withLock { $0.entry = newValue } }
  }
  /// Whether leaving it counts.
  open var notifyOnExit: Bool {
    get { counting.withLock { $0.exit } }
    set { counting.withLock { $0.exit = newValue } }
  }

  init(identifier: String) {
    name = identifier
    super.init()
  }

  /// What it is kept as: a property list.
  package var kept: [String: Any] {
    ["identifier": identifier, "entry": notifyOnEntry, "exit": notifyOnExit]
  }

  /// Reads a region; nil if it is none that this version knows.
  package static func region(kept: [String: Any]) -> CLRegion? {
    let region = CLCircularRegion.region(kept) ?? CLBeaconRegion.region(kept)
    if let entry = kept["entry"] as? NSNumber { region?.notifyOnEntry = entry.boolValue }
    if let exit = kept["exit"] as? NSNumber { region?.notifyOnExit = exit.boolValue }
    return region
  }

  static func kept(_ coder: NSCoder) -> [String: Any] {
    guard let data = coder.decodeObject(of: NSData.self, forKey: "region") else { return [:] }
    let read = try? PropertyListSerialization.propertyList(from: Data(referencing: data), format: nil)
    return read as? [String: Any] ?? [:]
  }

  /// Decodes a region; each class decodes its own form.
  public required init?(coder: NSCoder) {
    let kept = Self.kept(coder)
    guard let identifier = kept["identifier"] as? String else { return nil }
    name = identifier
    super.init()
    if let entry = kept["entry"] as? NSNumber { notifyOnEntry = entry.boolValue }
    if let exit = kept["exit"] as? NSNumber { notifyOnExit = exit.boolValue }
  }

  /// Regions can be archived.
  open class var supportsSecureCoding: Bool { true }
  /// Archives the region.
  open func encode(with coder: NSCoder) {
    if let data = try? PropertyListSerialization.data(fromPropertyList: kept, format: .binary, options: 0) {
      coder.encode(NSData(data: data), forKey: "region")
    }
  }
  /// Returns a copy.
  open func copy(with zone: NSZone? = nil) -> Any { CLRegion.region(kept: kept) ?? self }
  /// Whether both have the same values.
  open override func isEqual(_ object: Any?) -> Bool {
    guard let other = object as? CLRegion else { return false }
    return NSDictionary(dictionary: other.kept).isEqual(NSDictionary(dictionary: kept))
  }
  /// The hash of its name.
  open override var hash: Int { identifier.hashValue }
}

/// A circle on the earth.
open class CLCircularRegion: CLRegion, @unchecked Sendable {
  // @unchecked: its own property is a constant.
  private let own: (center: CLLocationCoordinate2D, radius: CLLocationDistance)

  /// The centre.
  open var center: CLLocationCoordinate2D { own.center }
  /// The radius in metres.
  open var radius: CLLocationDistance { own.radius }

  /// Creates a circle. The center of notifications keeps a radius from 1 m to 1000 km.
  public init(center: CLLocationCoordinate2D, radius: CLLocationDistance, identifier: String) {
    own = (center, radius)
    super.init(identifier: identifier)
  }

  static func region(_ kept: [String: Any]) -> CLCircularRegion? {
    guard let identifier = kept["identifier"] as? String,
      let latitude = (kept["latitude"] as? NSNumber)?.doubleValue,
      let longitude = (kept["longitude"] as? NSNumber)?.doubleValue,
      let radius = (kept["radius"] as? NSNumber)?.doubleValue
    else { return nil }
    return CLCircularRegion(
      center: CLLocationCoordinate2D(latitude: latitude, longitude: longitude), radius: radius, identifier: identifier)
  }

  package override var kept: [String: Any] {
    super.kept.merging(["latitude": center.latitude, "longitude": center.longitude, "radius": radius]) { $1 }
  }

  /// Decodes a circle.
  public required init?(coder: NSCoder) {
    guard let read = Self.region(Self.kept(coder)) else { return nil }
    own = read.own
    super.init(coder: coder)
  }

  /// Whether a point is in the circle.
  open func contains(_ coordinate: CLLocationCoordinate2D) -> Bool {
    CLLocation(latitude: center.latitude, longitude: center.longitude)
      .distance(from: CLLocation(latitude: coordinate.latitude, longitude: coordinate.longitude)) <= radius
  }
}
