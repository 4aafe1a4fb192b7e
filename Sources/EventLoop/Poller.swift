// SPDX-License-Identifier: Apache-2.0
internal import CLinux
internal import Glibc

/// The epoll instance, and who wants to hear of which descriptor.
///
/// Several watches may share a descriptor (libdbus keeps one for reading and one for writing); epoll knows a descriptor
/// once, with the union of what they want.
final class Poller {
  typealias Handler = (Readiness) -> Void

  private struct Watch {
    var interest: Readiness
    let handler: Handler
  }

  private struct Entry {
    var watches: [UInt64: Watch] = [:]
    /// Regular files cannot be polled and never block: epoll says EPERM, and they count as ready in every turn.
    var isAlwaysReady = false
    var interest: Readiness { watches.values.reduce(into: []) { $0.formUnion($1.interest) } }
  }

  private let epoll: Descriptor
  private var entries: [Int32: Entry] = [:]
  private var alwaysReady: Set<Int32> = []
  private var lastKey: UInt64 = 0
  private var events = [epoll_event](repeating: epoll_event(), count: 64)

  init() throws(EventLoopError) {
    epoll = try Descriptor(opening: "epoll_create1") { epoll_create1(Int32(EPOLL_CLOEXEC)) }
  }

  @discardableResult
  func add(
    _ descriptor: Int32, _ interest: Readiness, _ handler: @escaping Handler
  ) throws(EventLoopError) -> UInt64 {
    let isNew = entries[descriptor] == nil
    var entry = entries[descriptor] ?? Entry()
    lastKey += 1
    entry.watches[lastKey] = Watch(interest: interest, handler: handler)
    if control(isNew ? EPOLL_CTL_ADD : EPOLL_CTL_MOD, descriptor, entry) != 0 {
      guard errno == EPERM else { throw EventLoopError("epoll_ctl") }
      entry.isAlwaysReady = true
      alwaysReady.insert(descriptor)
    }
    entries[descriptor] = entry
    return lastKey
  }

  func change(_ key: UInt64, of descriptor: Int32, to interest: Readiness) {
    guard entries[descriptor]?.watches[key]?.interest != interest else { return }
    entries[descriptor]?.watches[key]?.interest = interest
    if let entry = entries[descriptor] { _ = control(EPOLL_CTL_MOD, descriptor, entry) }
  }

  func remove(_ key: UInt64, of descriptor: Int32) {
    guard var entry = entries[descriptor] else { return }
    entry.watches[key] = nil
    if entry.watches.isEmpty {
      entries[descriptor] = nil
      alwaysReady.remove(descriptor)
      // Fails where the descriptor is closed already: then the kernel has forgotten it by itself.
      _ = control(EPOLL_CTL_DEL, descriptor, entry)
    } else {
      entries[descriptor] = entry
      _ = control(EPOLL_CTL_MOD, descriptor, entry)
    }
  }

  private func control(_ operation: Int32, _ descriptor: Int32, _ entry: Entry) -> Int32 {
    if entry.isAlwaysReady { return 0 }
    var event = epoll_event()
    event.events = entry.interest.epollBits
    event.data.fd = descriptor
    return epoll_ctl(epoll.number, operation, descriptor, &event)
  }

  /// Waits until something is ready, and tells it.
  func wait() { turn(timeout: alwaysReady.isEmpty ? -1 : 0) }

  /// Tells what is ready now, without waiting.
  func poll() { turn(timeout: 0) }

  private func turn(timeout: Int32) {
    let count = epoll_wait(epoll.number, &events, Int32(events.count), timeout)
    // -1 is EINTR (a debugger, a stopped process): the loop simply turns again.
    for index in 0..<Int(max(count, 0)) {
      tell(events[index].data.fd, Readiness(epollBits: events[index].events))
    }
    for descriptor in alwaysReady { tell(descriptor, [.readable, .writable]) }
  }

  private func tell(_ descriptor: Int32, _ readiness: Readiness) {
    // A handler may remove any watch, also its own or its neighbour's: look each one up again before its turn.
    guard let keys = entries[descriptor]?.watches.keys else { return }
    for key in keys.sorted() {
      guard let watch = entries[descriptor]?.watches[key] else { continue }
      let concerning = readiness.intersection(watch.interest.union(.failed))
      if !concerning.isEmpty { watch.handler(concerning) }
    }
  }
}
