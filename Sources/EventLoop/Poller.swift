// SPDX-License-Identifier: Apache-2.0
internal import CLinux
internal import Glibc
internal import SystemFiles

/// The epoll instance and its watches.
///
/// Several watches may share a descriptor (libdbus has one for reading and one for writing); epoll registers it once,
/// with the union of their events. Changes are passed to epoll just before the next wait: libdbus turns "writable" on
/// and off with every message, which would otherwise cost two system calls each.
final class Poller {
  typealias Handler = (Readiness) -> Void

  private struct Watch {
    let key: UInt64
    var interest: Readiness
    let handler: Handler
  }

  private struct Entry {
    /// Oldest first, so their keys ascend.
    var watches: [Watch] = []
    /// The events last passed to epoll.
    var known: UInt32 = 0
    var isChanged = false
    /// Regular files cannot be polled and never block: epoll returns EPERM, and they count as ready in every turn.
    var isAlwaysReady = false

    var interest: Readiness { watches.reduce(into: []) { $0.formUnion($1.interest) } }
  }

  private let epoll: Descriptor
  /// Indexed by descriptor; the kernel assigns the lowest free number, so there are few holes.
  private var entries: [Entry] = []
  private var changed: [Int32] = []
  private var alwaysReady: [Int32] = []
  private var lastKey: UInt64 = 0
  /// From the start to the end of the handlers' last turn, or of several in a row.
  private(set) var lastTurn = Duration.zero..<Duration.zero
  /// How long the handlers of the last turn took; of several in a row, those of the last one.
  private(set) var lastHandlers = Duration.zero
  private var events = [epoll_event](repeating: epoll_event(), count: 64)

  init(wakeUp: WakeUp) throws(EventLoopError) {
    epoll = try Descriptor(opening: "epoll_create1") { epoll_create1(Int32(EPOLL_CLOEXEC)) }
    // Edge-triggered: each write is an event, so the counter need not be read.
    if control(EPOLL_CTL_ADD, wakeUp.descriptor, EPOLLIN.rawValue | EPOLLET.rawValue) != 0 {
      throw EventLoopError("epoll_ctl")
    }
  }

  // MARK: Watches

  @discardableResult
  func add(
    _ descriptor: Int32, _ interest: Readiness, _ handler: @escaping Handler
  ) throws(EventLoopError) -> UInt64 {
    let index = Int(descriptor)
    let watch = Watch(key: lastKey + 1, interest: interest, handler: handler)
    if entries.indices.contains(index) && !entries[index].watches.isEmpty {
      entries[index].watches.append(watch)
      markChanged(descriptor)
    } else {
      var entry = Entry(watches: [watch], known: interest.epollBits)
      if control(EPOLL_CTL_ADD, descriptor, entry.known) != 0 {
        guard errno == EPERM else { throw EventLoopError("epoll_ctl") }
        entry.isAlwaysReady = true
        alwaysReady.append(descriptor)
      }
      while entries.count <= index { entries.append(Entry()) }
      entries[index] = entry
    }
    lastKey = watch.key
    return watch.key
  }

  func change(_ key: UInt64, of descriptor: Int32, to interest: Readiness) {
    let index = Int(descriptor)
    guard let place = entries[index].watches.firstIndex(where: { $0.key == key }) else { return }
    entries[index].watches[place].interest = interest
    markChanged(descriptor)
  }

  func remove(_ key: UInt64, of descriptor: Int32) {
    let index = Int(descriptor)
    guard let place = entries[index].watches.firstIndex(where: { $0.key == key }) else { return }
    entries[index].watches.remove(at: place)
    if !entries[index].watches.isEmpty {
      markChanged(descriptor)
    } else if entries[index].isAlwaysReady {
      entries[index] = Entry()
      alwaysReady.removeAll { $0 == descriptor }
    } else {
      entries[index] = Entry()
      // At once, because the owner may close the descriptor next. Fails if it is already closed, which removes it from
      // epoll.
      _ = control(EPOLL_CTL_DEL, descriptor, 0)
    }
  }

  /// Ends all watches.
  func removeAll() {
    let watched = entries.indices.filter { !entries[$0].watches.isEmpty }
    // Releasing a handler may end other watches.
    for index in watched {
      for watch in entries[index].watches { remove(watch.key, of: Int32(index)) }
    }
  }

  private func markChanged(_ descriptor: Int32) {
    let index = Int(descriptor)
    if entries[index].isChanged || entries[index].isAlwaysReady { return }
    entries[index].isChanged = true
    changed.append(descriptor)
  }

  private func applyChanges() {
    if changed.isEmpty { return }
    for descriptor in changed {
      let index = Int(descriptor)
      entries[index].isChanged = false
      let bits = entries[index].interest.epollBits
      // Without watches, it has been removed from epoll already.
      if entries[index].watches.isEmpty || entries[index].known == bits { continue }
      entries[index].known = bits
      _ = control(EPOLL_CTL_MOD, descriptor, bits)
    }
    changed.removeAll(keepingCapacity: true)
  }

  private func control(_ operation: Int32, _ descriptor: Int32, _ bits: UInt32) -> Int32 {
    var event = epoll_event()
    event.events = bits
    event.data.fd = descriptor
    return epoll_ctl(epoll.number, operation, descriptor, &event)
  }

  // MARK: Turns

  /// Waits until a descriptor is ready, and calls the handlers.
  func wait() {
    let isSomethingReady = alwaysReady.contains { !entries[Int($0)].interest.isEmpty }
    turn(timeout: isSomethingReady ? 0 : -1)
  }

  /// Calls the handlers of ready descriptors, without waiting, until none is ready or the time is over.
  func poll(for time: Duration) {
    var isReady = turn(timeout: 0)
    let begun = lastTurn.lowerBound
    while isReady, lastTurn.upperBound < begun + time { isReady = turn(timeout: 0) }
    lastTurn = begun..<lastTurn.upperBound
  }

  /// Returns whether any descriptor was ready.
  @discardableResult
  private func turn(timeout: Int32) -> Bool {
    applyChanges()
    // Events of this turn are older than a watch that a handler adds meanwhile, possibly for another file with the
    // number of a descriptor just closed.
    let newest = lastKey
    let count = epoll_wait(epoll.number, &events, Int32(events.count), timeout)
    let begun = EventLoop.Clock.monotonic.now
    defer {
      lastTurn = begun..<max(begun, EventLoop.Clock.monotonic.now)
      lastHandlers = lastTurn.upperBound - begun
    }
    // -1 is EINTR (a debugger, a stopped process): the loop simply continues.
    for index in 0..<Int(max(count, 0)) {
      tell(events[index].data.fd, Readiness(epollBits: events[index].events), upTo: newest)
    }
    for descriptor in alwaysReady { tell(descriptor, [.readable, .writable], upTo: newest) }
    return count > 0
  }

  private func tell(_ descriptor: Int32, _ readiness: Readiness, upTo newest: UInt64) {
    let index = Int(descriptor)
    guard index < entries.count else { return }  // the wake-up descriptor, which has no watch
    var told: UInt64 = 0
    // A handler may remove any watch, including its own or its neighbour's: search for the next one each time.
    while let watch = entries[index].watches.first(where: { $0.key > told }), watch.key <= newest {
      told = watch.key
      let concerning = readiness.intersection(watch.interest.union(.failed))
      if !concerning.isEmpty { watch.handler(concerning) }
    }
  }
}
