// SPDX-License-Identifier: Apache-2.0
public import EventLoop
public import Triggers
public import Zoneinfo

/// The current zone of the machine and the zones that requests name; reports their changes.
///
/// The files are watched, not read repeatedly; after a sleep, when events may be missing, ``check()`` reads them. If a
/// file becomes unreadable, its last rules stay in use: an alarm at the old time is better than one in UTC. Confined to
/// the loop's thread.
public final class MachineZone: ZoneSource {
  /// The time without changes before reading, because the files of a package come one by one.
  static let calm = Duration.milliseconds(200)
  /// The time after which the files are read in any case.
  static let longestWait = Duration.seconds(2)

  /// The machine's zone; UTC until it can be read for the first time.
  public private(set) var zone = Zone.utc
  /// Its name.
  public var name: String { zone.name }
  /// A problem in one line: the machine's setting, or a zone that a request names, cannot be read.
  public private(set) var problem: String?
  /// A text that changes only if dates may change, in the machine's zone or in named ones; comparable across restarts.
  public private(set) var fingerprint = ""

  private let loop: EventLoop
  private let system: SystemZone
  /// Called on the loop when dates may have changed; never by the initializer or ``rules(_:)``.
  public var whenChanged: () -> Void
  private var named: NamedZones
  private var setting: [FileIdentity]?
  private var watch: FolderWatch?
  private var look: EventLoop.Deadline?
  private var latestLook: Duration?

  /// Reads the zone and watches the files that define it.
  public init(on loop: EventLoop, system: SystemZone = .current, whenChanged: @escaping () -> Void = {}) {
    self.loop = loop
    self.system = system
    self.whenChanged = whenChanged
    named = NamedZones(database: system.database)
    // Watch first, to notice changes during the reading.
    follow()
    _ = refresh()
    follow()
  }

  /// The rules of a zone by its name; nil for the machine's zone.
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

  /// Reads the files now, and reports a change.
  public func check() {
    look?.cancel()
    look = nil
    latestLook = nil
    let isChanged = refresh()
    follow()
    if isChanged { whenChanged() }
  }

  /// Stops watching.
  public func cancel() {
    look?.cancel()
    look = nil
    watch?.cancel()
    watch = nil
  }

  // MARK: Reading

  /// Whether any zone in use has changed.
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
      return "cannot read the machine's time zone, using \(zone.name): \(error)"
    }
  }

  private static func list(_ identity: FileIdentity?) -> [FileIdentity] { identity.map { [$0] } ?? [] }

  // MARK: Watching

  private func follow() {
    let folders = places.keys.sorted()
    if let watch { return watch.follow(folders) }
    // There is no free descriptor: the next check tries again.
    watch = try? loop.watch(folders: folders) { [weak self] in self?.notice($0) }
  }

  /// The folders to watch, each with the relevant names in it; `tzdata` changes all other files in its own folder.
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
    // Ignore unrelated changes in `/etc`.
    if case .entries(system.etc, let names) = change, names.isDisjoint(with: places[system.etc] ?? []) { return }
    let now = EventLoop.Clock.monotonic.now
    let latest = latestLook ?? now + Self.longestWait
    latestLook = latest
    look?.cancel()
    look = loop.schedule(at: min(now + Self.calm, latest), on: .monotonic) { [weak self] in self?.check() }
  }
}
