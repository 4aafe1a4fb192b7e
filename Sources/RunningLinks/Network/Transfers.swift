// SPDX-License-Identifier: Apache-2.0
internal import CCurl
package import EventLoop

/// All transfers of this program, on its loop: libcurl says which sockets and which time it waits for, and the loop
/// waits.
///
/// libcurl does one thing on a thread of its own: it looks up the address of a host, for as long as that takes.
///
/// Confined to the loop's thread.
package final class Transfers {
  private let handle: UnsafeMutableRawPointer
  private let loop: EventLoop
  private var watches: [Int32: EventLoop.DescriptorWatch] = [:]
  private var timer: EventLoop.Deadline?
  private var running: [UnsafeMutableRawPointer: Transfer] = [:]
  /// Most functions of libcurl cannot be called from inside of its own calls.
  private var isInCurl = false

  package init(on loop: EventLoop) throws(TransferFailure) {
    guard curl_begin() == CURLE_OK, let handle = curl_multi_init() else { throw .noMemory }
    self.handle = handle
    self.loop = loop
    // Unretained: this object owns the handle, and frees it first.
    let owner = Unmanaged.passUnretained(self).toOpaque()
    let isSet =
      curl_set_socket_observer(
        handle,
        { _, socket, interest, owner, _ in
          Transfers.from(owner).observe(socket, interest)
          return 0
        }, owner) == CURLM_OK
      && curl_set_timer(
        handle,
        { _, milliseconds, owner in
          Transfers.from(owner).setTimer(milliseconds)
          return 0
        }, owner) == CURLM_OK
    guard isSet else { throw .noMemory }
  }

  deinit {
    // Its last calls would come to an object that has gone.
    curl_set_socket_observer(handle, nil, nil)
    curl_set_timer(handle, nil, nil)
    curl_multi_cleanup(handle)
  }

  private static func from(_ owner: UnsafeMutableRawPointer?) -> Transfers {
    // Always set, in `init`.
    Unmanaged<Transfers>.fromOpaque(owner!).takeUnretainedValue()
  }

  /// Starts a transfer, and keeps it until its end.
  func start(_ transfer: Transfer) throws(TransferFailure) {
    guard curl_multi_add_handle(handle, transfer.handle) == CURLM_OK else { throw .noMemory }
    running[transfer.handle] = transfer
  }

  /// Carries a transfer out, and returns how it ended.
  func end(of transfer: Transfer) async -> Transfer.End {
    await loop.withContinuation { continuation in
      // Before it starts: between a start and a wait, the loop may have a turn, in which a server that refuses ends it.
      transfer.whenEnded = { continuation.resume(returning: $0) }
      do throws(TransferFailure) { try start(transfer) } catch {
        transfer.whenEnded = { _ in }
        continuation.resume(returning: .failed(error))
      }
    }
  }

  /// Ends a transfer at once, without an answer. Not from inside of its own functions.
  func stop(_ transfer: Transfer) {
    precondition(!isInCurl, "libcurl cannot be called from its own calls")
    guard running.removeValue(forKey: transfer.handle) != nil else { return }
    curl_multi_remove_handle(handle, transfer.handle)
  }

  /// Lets a transfer read on that has paused itself.
  func resume(_ transfer: Transfer) {
    precondition(!isInCurl, "libcurl cannot be called from its own calls")
    guard running[transfer.handle] != nil else { return }
    isInCurl = true
    // What it holds comes at once.
    curl_easy_pause(transfer.handle, CURLPAUSE_CONT)
    isInCurl = false
    collect()
  }

  // MARK: Calls of libcurl

  private func observe(_ socket: Int32, _ interest: Int32) {
    if interest == CURL_POLL_REMOVE {
      watches.removeValue(forKey: socket)?.cancel()
      return
    }
    var events: Readiness = []
    if interest & CURL_POLL_IN != 0 { events.insert(.readable) }
    if interest & CURL_POLL_OUT != 0 { events.insert(.writable) }
    if let watch = watches[socket] { return watch.setInterest(events) }
    // Without a descriptor left, the time limit of the connection ends it.
    watches[socket] = try? loop.watch(socket, for: events) { [weak self] in self?.act(socket, $0) }
  }

  private func setTimer(_ milliseconds: Int) {
    timer?.cancel()
    timer = nil
    guard milliseconds >= 0 else { return }
    timer = loop.schedule(after: .milliseconds(milliseconds)) { [weak self] in
      self?.timer = nil
      self?.act(CURL_SOCKET_BAD, [])
    }
  }

  private func act(_ socket: Int32, _ readiness: Readiness) {
    var events: Int32 = 0
    if readiness.contains(.readable) { events |= CURL_CSELECT_IN }
    if readiness.contains(.writable) { events |= CURL_CSELECT_OUT }
    if readiness.contains(.failed) { events |= CURL_CSELECT_ERR }
    var count: Int32 = 0
    isInCurl = true
    curl_multi_socket_action(handle, socket, events, &count)
    isInCurl = false
    collect()
  }

  /// Ends the transfers that libcurl has ended.
  private func collect() {
    var code = CURLE_OK
    while let ended = curl_next_ended(handle, &code) {
      let transfer = running[ended]
      // Removed, it would close its connection.
      if transfer?.isStream != true || code != CURLE_OK {
        curl_multi_remove_handle(handle, ended)
        running[ended] = nil
      }
      transfer?.end(code)
    }
  }
}
