// SPDX-License-Identifier: Apache-2.0
internal import EventLoop
internal import Links
internal import SystemFiles

/// The state of a link in memory, and its file, which follows within a moment: a flood of messages does not become a
/// flood of writes. What a killed program had not written yet is read again, and the center knows it by its id.
///
/// Confined to the loop's thread.
final class LinkRecord {
  private(set) var state: LinkState
  private let name: String
  private let path: String
  private let log: MQTTSessionLog
  /// How many messages had an id when the state was last written.
  private var writtenCount: Int64 = 0
  private let loop: EventLoop
  private var writing: EventLoop.Deadline?
  private var isUnwritable = false
  /// Whether a loss was told since the start; the error on the disk may be that of an earlier process.
  private var hasComplained = false
  /// What was left out, and told once.
  private var said: Set<LinkState.Omission> = []

  /// The time from a change to its writing, and to the next attempt if the disk is full.
  private static let pause: (usual: Duration, full: Duration) = (.milliseconds(100), .seconds(10))

  /// - Parameter source: what the last id is an id of: another server or topic begins anew. Nil if that is not known.
  init(_ name: LinkName, source: String? = nil, in folders: LinkFolders, on loop: EventLoop) {
    self.name = name.text
    path = folders.state(of: name)
    log = MQTTSessionLog(folders.session(of: name))
    self.loop = loop
    state = LinkState.read(path) ?? LinkState()
    if let source, state.source != source {
      state = LinkState()
      state.source = source
    }
    (state.obstacle, state.floodedUntil) = (nil, nil)
    if let session = state.session {
      // The first id that is given makes the state be written.
      writtenCount = session.count
      state.session = .resumed(session, keptIn: folders.session(of: name))
    }
  }

  /// The wall clock in Unix seconds.
  static var now: Int64 { EventLoop.Clock.wall.now.components.seconds }

  func change(_ body: (inout LinkState) -> Void) {
    let before = state
    body(&state)
    if state != before, writing == nil { plan(Self.pause.usual) }
  }

  func enter(_ phase: LinkState.Phase, error: String? = nil) {
    if phase == .connected, state.phase != phase { LinkLog.info(name, "connected") }
    // Each loss once, however many attempts follow: a server that is away for a night would fill the journal.
    if let error, error != state.error || state.phase == .connected || !hasComplained {
      LinkLog.warning(name, error)
      hasComplained = true
    }
    change {
      // At first, no date is known: without one, the link would count as lost.
      if $0.phase != phase || $0.since == 0 {
        $0.phase = phase
        $0.since = Self.now
      }
      if let error { ($0.error, $0.errorDate) = (error, Self.now) }
    }
  }

  /// Counts what was left out, and says so once.
  func omit(_ omission: LinkState.Omission, because reason: String) {
    change { $0.omissions[omission, default: 0] += 1 }
    if said.insert(omission).inserted { LinkLog.warning(name, "left out a message: " + reason) }
  }

  /// Takes note of what has happened to the session, for the next ``keep(_:)``.
  func add(_ change: MQTTSession.Change) { log.add(change) }

  /// Keeps the session now, so that it survives the end of the program; the state with it follows within a moment.
  func keep(_ session: MQTTSession) {
    change { $0.session = session }
    if session.count - writtenCount < MQTTSession.mostUnwritten, (try? log.keep(of: session)) != nil { return }
    finish()
  }

  /// Writes what has not been written yet.
  func finish() {
    writing?.cancel()
    writing = nil
    write()
  }

  private func plan(_ pause: Duration) {
    writing = loop.schedule(after: pause) { [weak self] in
      self?.writing = nil
      self?.write()
    }
  }

  private func write() {
    do throws(FileError) {
      try state.write(to: path)
      log.clear()
      writtenCount = state.session?.count ?? 0
      isUnwritable = false
    } catch {
      if !isUnwritable { LinkLog.error(name, "\(path): \(error)") }
      isUnwritable = true
      plan(Self.pause.full)
    }
  }
}
