// SPDX-License-Identifier: Apache-2.0
internal import CCurl
internal import EventLoop

/// A connection to a server for another protocol than HTTP: libcurl makes it, with the same checks of TLS, and carries
/// the bytes.
///
/// It has a set of transfers of its own. In a common one, libcurl would look at connections that no transfer uses, and
/// close one on which bytes wait.
///
/// Confined to the loop's thread.
final class Stream {
  private let loop: EventLoop
  private let transfers: Transfers
  private let transfer: Transfer
  private var watch: EventLoop.DescriptorWatch?
  private var isOpen = false
  private var hasStopped = false

  /// The bytes that are being written, and those that follow. The first do not change: OpenSSL needs the same bytes
  /// when a write is repeated.
  private var outgoing: [UInt8] = []
  private var sent = 0
  private var next: [UInt8] = []
  private var buffer = [UInt8](repeating: 0, count: 16_384)

  /// Called once it can be used.
  var whenOpened: () -> Void = {}
  /// Called with what has arrived.
  var whenRead: (ArraySlice<UInt8>) -> Void = { _ in }
  /// Called once, if it ends by itself.
  var whenLost: (TransferFailure) -> Void = { _ in }

  /// Whether to leave what arrives with the kernel, and so with the server.
  var isPaused = false {
    didSet {
      guard oldValue != isPaused, isOpen else { return }
      setInterest()
      // TLS may hold bytes that the kernel no longer has.
      if !isPaused { readLater() }
    }
  }

  /// More than a link ever has to send to a server that reads.
  private static let mostOutgoing = 65_536
  private static let readsPerTurn = 8

  init(_ request: Transfer.Request, on loop: EventLoop) throws(TransferFailure) {
    self.loop = loop
    var request = request
    request.isStream = true
    transfers = try Transfers(on: loop)
    transfer = try Transfer(request)
  }

  func start() throws(TransferFailure) {
    transfer.whenOpened = { [weak self] in self?.opened() }
    transfer.whenEnded = { [weak self] end in
      guard let self else { return }
      if case .failed(let failure) = end { lose(failure) } else { lose(.lost) }
    }
    try transfers.start(transfer)
  }

  /// Ends it at once.
  func stop() {
    hasStopped = true
    isOpen = false
    watch?.cancel()
    watch = nil
    transfers.stop(transfer)
  }

  private func lose(_ failure: TransferFailure) {
    if hasStopped { return }
    stop()
    whenLost(failure)
  }

  private func opened() {
    var socket: curl_socket_t = CURL_SOCKET_BAD
    guard curl_get_socket(transfer.handle, &socket) == CURLE_OK, socket != CURL_SOCKET_BAD,
      let watch = try? loop.watch(socket, for: .readable, { [weak self] in self?.act($0) })
    else { return lose(.noMemory) }
    self.watch = watch
    isOpen = true
    whenOpened()
    // With the last bytes of TLS, the first ones of the server may have come.
    readLater()
  }

  private func setInterest() {
    var interest: Readiness = []
    if !isPaused { interest.insert(.readable) }
    if !outgoing.isEmpty { interest.insert(.writable) }
    watch?.setInterest(interest)
  }

  private func act(_ readiness: Readiness) {
    if readiness.contains(.writable) { flush() }
    if !readiness.isDisjoint(with: [.readable, .failed]) { read() }
  }

  // MARK: Reading

  private func readLater() { loop.performNext { [weak self] in self?.read() } }

  private func read() {
    for _ in 0..<Self.readsPerTurn {
      guard isOpen, !isPaused else { return }
      var count = 0
      let code = buffer.withUnsafeMutableBytes { curl_easy_recv(transfer.handle, $0.baseAddress, $0.count, &count) }
      if code == CURLE_AGAIN { return }
      guard code == CURLE_OK, count > 0 else { return lose(.lost) }
      whenRead(buffer[..<count])
    }
    readLater()
  }

  // MARK: Writing

  func write(_ bytes: [UInt8]) {
    guard isOpen else { return }
    next += bytes
    guard outgoing.count - sent + next.count <= Self.mostOutgoing else { return lose(.lost) }
    flush()
  }

  private func flush() {
    let wasFlushed = outgoing.isEmpty
    while isOpen {
      if sent == outgoing.count {
        (outgoing, next, sent) = (next, [], 0)
        if outgoing.isEmpty { break }
      }
      var count = 0
      let code = outgoing[sent...].withUnsafeBytes {
        curl_easy_send(transfer.handle, $0.baseAddress, $0.count, &count)
      }
      if code == CURLE_AGAIN { break }
      guard code == CURLE_OK else { return lose(.lost) }
      sent += count
    }
    if outgoing.isEmpty != wasFlushed || !outgoing.isEmpty { setInterest() }
  }
}
