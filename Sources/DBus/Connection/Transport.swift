// SPDX-License-Identifier: Apache-2.0
internal import CDBus
internal import EventLoop
internal import Glibc

/// Owns a libdbus connection: registers its descriptor with the event loop, and delivers its messages to `receive`.
/// Confined to the loop's thread.
///
/// libdbus calls back inside its own functions; these callbacks only record changes. libdbus has timeouts for its own
/// pending calls only, which we do not use, so it gets no timer.
final class Transport {
  private let connection: OpaquePointer
  private let loop: EventLoop
  private let receive: (borrowing MessageReader) -> Void
  private let longestQueue: Int
  /// Those of libdbus, and ours for them: one to read, and one to write.
  private var watches: [(library: OpaquePointer, registration: EventLoop.DescriptorWatch)] = []
  /// Whether ``drain()`` is already scheduled, in this or one of the loop's next turns.
  private var isDrainPlanned = false
  /// Set while the loop takes a turn between two received messages; nothing is read from the socket meanwhile.
  private var pause: EventLoop.Deadline?
  private var isOpen = true
  private var hasReceived = false
  /// The number of messages dispatched since the last read.
  private var dispatched = 0

  /// How long messages are dispatched before the rest of the loop gets a turn.
  private static let slice: Duration = .milliseconds(10)
  /// How long a turn of the loop reads parts of an unfinished message. It is short, because libdbus checks a large
  /// message in the turn that reads its last part.
  private static let readingSlice: Duration = .milliseconds(1)

  /// Opens the socket; authentication and `Hello` follow later.
  init(
    to address: String, on loop: EventLoop, longestQueue: Int,
    receive: @escaping (borrowing MessageReader) -> Void
  ) throws(BusError) {
    Self.makeLibraryForgiving
    var error = DBusError()
    dbus_error_init(&error)
    // Private: the shared connection belongs to all users of libdbus in the process.
    guard let connection = dbus_connection_open_private(address, &error) else {
      defer { dbus_error_free(&error) }
      let reason = error.message.map { String(cString: $0) } ?? "unknown reason"
      throw BusError(.noBus, "no bus at '\(address)': \(reason)")
    }
    self.connection = connection
    self.loop = loop
    self.receive = receive
    self.longestQueue = longestQueue
    dbus_connection_set_exit_on_disconnect(connection, 0)
    dbus_connection_set_allow_anonymous(connection, 0)
    // We must accept all that the bus lets through: a message over a limit of ours would end the connection, and any
    // peer can send one. 253 descriptors are the most that the kernel passes at once; libdbus would accept 16.
    dbus_connection_set_max_message_size(connection, WireWriter.longestMessage)
    dbus_connection_set_max_message_unix_fds(connection, 512)
    // Beyond this number libdbus stops reading until messages are released. Its default of 4096 descriptors is more
    // than a process may usually have, and at that limit libdbus ends the connection. A held call whose caller is still
    // unknown must not block the answer that identifies the caller.
    dbus_connection_set_max_received_unix_fds(connection, 64)
    dbus_connection_set_max_received_size(connection, 2 * WireWriter.longestMessage)
    guard install() else {
      close()
      throw .outOfMemory
    }
  }

  /// By default libdbus aborts the process on invalid input; this must be turned off before its first call. To look for
  /// such input, set the variable to 1.
  private static let makeLibraryForgiving: Void = {
    setenv("DBUS_FATAL_WARNINGS", "0", 0)
  }()

  deinit {
    // The loop's watches hold the transport, so it is closed before its last reference is released.
    assert(!isOpen, "a transport was dropped before it was closed")
    dbus_connection_unref(connection)
  }

  /// Closes the connection; no message is received afterwards, and unsent bytes are lost.
  func close() {
    guard isOpen else { return }
    isOpen = false
    socket = nil
    dbus_connection_close(connection)
    dbus_connection_set_watch_functions(connection, nil, nil, nil, nil, nil)
    dbus_connection_set_dispatch_status_function(connection, nil, nil, nil)
    for watch in watches { watch.registration.cancel() }
    watches = []
    pause?.cancel()
    pause = nil
  }

  /// Sends a finished message without descriptors.
  func send(_ bytes: [UInt8]) throws(BusError) {
    if !write(bytes) { try send(try MessageHandle(reading: bytes)) }
  }

  /// The longest message that is written directly. The kernel takes such a message from us as a whole or not at all,
  /// because it keeps it in one buffer.
  private static let longestDirect = 16 << 10

  /// Writes a message to the socket without libdbus, which would take it apart and check it again: a fifth of the work
  /// of a short call. Returns whether the message was written.
  private func write(_ bytes: [UInt8]) -> Bool {
    assert(MessageHandle.canRead(bytes), "a message that libdbus does not accept")
    guard let socket, bytes.count <= Self.longestDirect, dbus_connection_has_messages_to_send(connection) == 0 else {
      return false
    }
    let written = Glibc.send(socket, bytes, bytes.count, Int32(MSG_NOSIGNAL | MSG_DONTWAIT))
    // If the kernel ever took a part only, the connection is given up: libdbus may send a message of its own before
    // the rest.
    if written > 0, written < bytes.count { shutdown(socket, Int32(SHUT_RDWR)) }
    // libdbus tells of a lost connection.
    return written > 0
  }

  /// The socket, if it is local and authentication is over: libdbus writes what belongs to that itself.
  private var socket: Int32?

  private func findSocket() {
    var (descriptor, domain): (Int32, Int32) = (-1, 0)
    var size = socklen_t(MemoryLayout<Int32>.size)
    guard dbus_connection_get_socket(connection, &descriptor) != 0,
      getsockopt(descriptor, SOL_SOCKET, SO_DOMAIN, &domain, &size) == 0, domain == AF_UNIX
    else { return }
    socket = descriptor
  }

  /// Queues the message and writes as much as the socket accepts.
  func send(_ message: borrowing MessageHandle) throws(BusError) {
    if outgoingBytes > longestQueue {
      throw BusError(.outOfResources, "more than \(longestQueue) bytes wait for a bus that does not read them")
    }
    if dbus_message_contains_unix_fds(message.pointer) != 0, !carriesDescriptors {
      throw BusError(.invalidValue, "this connection carries no descriptors")
    }
    guard dbus_connection_send(connection, message.pointer, nil) != 0 else { throw .outOfMemory }
  }

  /// Whether both ends agreed to pass descriptors.
  var carriesDescriptors: Bool { dbus_connection_can_send_type(connection, TypeCode.unixFD) != 0 }

  /// The number of bytes that the peer has not read yet.
  var outgoingBytes: Int { dbus_connection_get_outgoing_size(connection) }

  // MARK: Callbacks

  private func install() -> Bool {
    let me = Unmanaged.passUnretained(self).toOpaque()
    dbus_connection_set_dispatch_status_function(
      connection,
      { _, status, me in
        if status == DBUS_DISPATCH_DATA_REMAINS { Transport.from(me).planDrain() }
      }, me, nil)
    return dbus_connection_add_filter(connection, Self.filter, me, nil) != 0
      && dbus_connection_set_watch_functions(
        connection,
        { Transport.from($1).add(watch: $0) ? 1 : 0 },
        { Transport.from($1).remove(watch: $0) },
        { Transport.from($1).toggle(watch: $0) },
        me, nil) != 0
  }

  private static let filter: DBusHandleMessageFunction = { _, message, me in
    let transport = Transport.from(me)
    if !transport.hasReceived {
      transport.hasReceived = true
      transport.findSocket()
    }
    // libdbus calls a filter with a message and the registered pointer.
    transport.dispatched += 1
    if transport.isOpen { transport.receive(MessageReader(borrowing: message!)) }
    return DBUS_HANDLER_RESULT_HANDLED
  }

  private static func from(_ pointer: UnsafeMutableRawPointer?) -> Transport {
    // Every callback gets the pointer that `install` passed, and none comes after `close`, which the loop's watches
    // outlive.
    Unmanaged<Transport>.fromOpaque(pointer!).takeUnretainedValue()
  }

  // MARK: Descriptors

  private func add(watch: OpaquePointer?) -> Bool {
    guard let watch else { return false }
    // Strong on purpose: the transport must outlive libdbus's use of it, and `close` breaks the cycle.
    let registration = try? loop.watch(dbus_watch_get_unix_fd(watch), for: interest(of: watch)) { readiness in
      self.handle(watch, readiness)
    }
    guard let registration else { return false }
    watches.append((watch, registration))
    return true
  }

  private func toggle(watch: OpaquePointer?) {
    guard let watch else { return }
    registration(of: watch)?.setInterest(interest(of: watch))
  }

  private func remove(watch: OpaquePointer?) {
    guard let index = watches.firstIndex(where: { $0.library == watch }) else { return }
    watches.remove(at: index).registration.cancel()
  }

  private func registration(of watch: OpaquePointer) -> EventLoop.DescriptorWatch? {
    watches.first { $0.library == watch }?.registration
  }

  private func interest(of watch: OpaquePointer) -> Readiness {
    guard dbus_watch_get_enabled(watch) != 0 else { return [] }
    let flags = dbus_watch_get_flags(watch)
    var interest: Readiness = []
    if flags & DBUS_WATCH_READABLE.rawValue != 0, pause == nil { interest.insert(.readable) }
    if flags & DBUS_WATCH_WRITABLE.rawValue != 0 { interest.insert(.writable) }
    return interest
  }

  private func handle(_ watch: OpaquePointer, _ readiness: Readiness) {
    guard isOpen, dbus_watch_get_enabled(watch) != 0 else { return }
    var flags: UInt32 = 0
    if readiness.contains(.readable) { flags |= DBUS_WATCH_READABLE.rawValue }
    if readiness.contains(.writable) { flags |= DBUS_WATCH_WRITABLE.rawValue }
    if readiness.contains(.failed) { flags |= DBUS_WATCH_ERROR.rawValue | DBUS_WATCH_HANGUP.rawValue }
    isDrainPlanned = true  // just below, or after the pause
    dispatched = 0
    let begun = EventLoop.Clock.monotonic.now
    dbus_watch_handle(watch, flags)
    if pause == nil { drain(since: begun, reading: readiness.contains(.readable) ? watch : nil) }
  }

  // MARK: Messages

  private func planDrain() {
    guard isOpen, !isDrainPlanned else { return }
    isDrainPlanned = true
    let plan = Plan(transport: self)
    loop.perform { plan.transport.drain() }
  }

  /// Carries a transport into the loop's queue. @unchecked: created and used on the loop's thread only.
  private struct Plan: @unchecked Sendable {
    let transport: Transport
  }

  /// - Parameters:
  ///   - begun: when this turn began.
  ///   - watch: a watch to read from until it has no more data: libdbus reads some 2 KiB at a time, and a turn of the
  ///     loop for each would delay the messages that are behind a long one. A read with exactly one message in it is the
  ///     usual call: libdbus has seen that nothing follows, and to ask again would cost a system call for each. If
  ///     something does follow, it comes in the loop's next turn.
  private func drain(since begun: Duration = EventLoop.Clock.monotonic.now, reading watch: OpaquePointer? = nil) {
    isDrainPlanned = true
    var now = begun
    repeat {
      while isOpen {
        // If the check of a large message has taken all of the time, the message is handled in the next turn.
        now = EventLoop.Clock.monotonic.now
        if now > begun + Self.slice, dbus_connection_get_dispatch_status(connection) == DBUS_DISPATCH_DATA_REMAINS {
          return pauseDispatch()
        }
        if dbus_connection_dispatch(connection) != DBUS_DISPATCH_DATA_REMAINS { break }
      }
    } while dispatched != 1 && now < begun + (dispatched == 0 ? Self.readingSlice : Self.slice) && readOn(watch)
    isDrainPlanned = false
  }

  /// Reads again if there is more data; returns whether there was.
  private func readOn(_ watch: OpaquePointer?) -> Bool {
    guard isOpen, let watch, registration(of: watch) != nil, dbus_watch_get_enabled(watch) != 0 else { return false }
    var descriptor = pollfd(fd: dbus_watch_get_unix_fd(watch), events: Int16(POLLIN), revents: 0)
    guard poll(&descriptor, 1, 0) == 1, descriptor.revents & Int16(POLLIN) != 0 else { return false }
    dispatched = 0
    dbus_watch_handle(watch, DBUS_WATCH_READABLE.rawValue)
    return true
  }

  /// Continues in the loop's next turn, so that the messages of one caller do not block everything else. A deadline,
  /// because the loop checks ready descriptors before it.
  private func pauseDispatch() {
    guard isOpen else { return }
    pause = loop.schedule(after: .zero) { self.resumeDispatch() }
    for (watch, registration) in watches { registration.setInterest(interest(of: watch)) }
  }

  private func resumeDispatch() {
    pause = nil
    for (watch, registration) in watches { registration.setInterest(interest(of: watch)) }
    drain()
  }
}
