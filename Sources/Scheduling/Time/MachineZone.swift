// SPDX-License-Identifier: Apache-2.0
public import EventLoop
public import Triggers
public import Zoneinfo

/// The zone that the machine is in and those that requests name, as they are now; says when one of them is another.
///
/// The files that decide are watched, not read again and again; where somebody may have missed something (after a sleep),
/// ``check()`` looks. What cannot be read any more stays as it was last: an alarm at the old time beats one in UTC.
/// Confined to the loop's thread.
public final class MachineZone: ZoneSource {
  /// So long nothing must happen before we look: a package's files come one by one.
  static let calm = Duration.milliseconds(200)
  /// After so long we look in any case.
  static let patience = Duration.seconds(2)

  /// Where the machine is, as far as that can be read; UTC while it never could be.
  public private(set) var zone = Zone.utc
  /// Its name.
  public var name: String { zone.name }
  /// What is wrong, in one line: the machine's setting, or a zone that a request names, cannot be read.
  public private(set) var problem: String?
  /// The same text as long as all dates are the same, in the machine's zone and in named ones; also after a start.
  public private(set) var fingerprint = ""

  private let loop: EventLoop
  private let system: SystemZone
  /// Called on the loop when a date may be another; never by the initializer or ``rules(_:)``.
  public var whenChanged: () -> Void
  private var named: NamedZones
  private var setting: [FileIdentity]?
  private var watch: FolderWatch?
  private var look: EventLoop.Deadline?
  private var latestLook: Duration?

  /// Reads the zone and watches what decides on it.
  public init(on loop: EventLoop, system: SystemZone = .current, whenChanged: @escaping () -> Void = {}) {
    self.loop = loop
    self.system = system
    self.whenChanged = whenChanged
    named = NamedZones(database: system.database)
    // First the watch: what changes while we read is then seen.
    follow()
    _ = refresh()
    follow()
  }

  /// The rules of a zone by its name, those of the machine for nil.
  public func rules(_ name: String?) throws(TriggerError) -> ZoneRules {
    guard let name else { return zone.rules }
    if let rules = named.known(name) { return rules }
    do throws(ZoneError) {
      let rules = try named.read(name)
      follow()
      return rules
    } catch {
      throw TriggerError(error)
    }
  }

  /// Compares with what is there, at once.
  public func check() {
    look?.cancel()
    look = nil
    latestLook = nil
    let isChanged = refresh()
    follow()
    if isChanged { whenChanged() }
  }

  /// Ends the observation.
  public func cancel() {
    look?.cancel()
    look = nil
    watch?.cancel()
    watch = nil
  }

  // MARK: Reading

  /// Whether anything in use is another one.
  private func refresh() -> Bool {
    let machineProblem = readSetting()
    let isNamedChanged = named.refresh()
    let problems = [machineProblem, named.problem].compactMap { $0 }
    problem = problems.isEmpty ? nil : problems.joined(separator: "; ")
    let before = fingerprint
    let digest = String(zone.rules.digest, radix: 16)
    fingerprint = "\(zone.name) \(digest) \(system.database.fingerprint)"
    return isNamedChanged || fingerprint != before
  }

  private func readSetting() -> String? {
    let identity = system.identity()
    if let setting, setting == identity + Self.list(zone.identity.map { FileIdentity(path: $0.path) }) { return nil }
    do throws(ZoneError) {
      zone = try system.read().zone
      setting = identity + Self.list(zone.identity)
      return nil
    } catch {
      setting = nil
      return "the machine's zone cannot be read, \(zone.name) is used: \(error)"
    }
  }

  private static func list(_ identity: FileIdentity?) -> [FileIdentity] { identity.map { [$0] } ?? [] }

  // MARK: Watching

  private func follow() {
    let folders = places.keys.sorted()
    if let watch { return watch.follow(folders) }
    // No descriptor is left: the next look tries again.
    watch = try? loop.watch(folders: folders) { [weak self] in self?.notice($0) }
  }

  /// The folders that matter, each with the names in it that we came by; `tzdata` brings everything else in its own.
  private var places: [String: Set<String>] {
    var paths = named.paths
    if let identity = zone.identity { paths.append(identity.path) }
    if system.variable == nil { paths += [system.etc + "/localtime", system.etc + "/timezone"] }
    var places: [String: Set<String>] = [system.database.folder: []]
    for path in paths.flatMap(FileIdentity.trail) {
      guard let slash = path.lastIndex(of: "/") else { continue }
      let folder = path[..<slash]
      places[folder.isEmpty ? "/" : String(folder), default: []].insert(String(path[path.index(after: slash)...]))
    }
    return places
  }

  private func notice(_ change: FolderChange) {
    // Much happens in `/etc` that is none of our business.
    if case .entries(system.etc, let names) = change, names.isDisjoint(with: places[system.etc] ?? []) { return }
    let now = EventLoop.Clock.monotonic.now
    let latest = latestLook ?? now + Self.patience
    latestLook = latest
    look?.cancel()
    look = loop.schedule(at: min(now + Self.calm, latest), on: .monotonic) { [weak self] in self?.check() }
  }
}
