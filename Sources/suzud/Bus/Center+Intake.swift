// SPDX-License-Identifier: Apache-2.0
internal import DBus
internal import EventLoop
internal import NotificationModel

/// Reads the requests of one call.
extension Center {
  /// A call of at least this many bytes may take several turns of the loop to read.
  private static let longCall = 256 << 10
  /// How long requests are read before the rest of the loop gets a turn.
  private static let readingTime: Duration = .milliseconds(10)

  /// Stores the request of a `Notify`, and returns its id. Quotas are checked before the request is read.
  func notify(_ call: IncomingCall, _ rights: Rights) async throws -> String {
    try await requestSide.requests.notify(rights, from: Caller(call.sender), isLong: false) {
      try requestSide.quota.check(rights, 1)
      return [try CenterInterface.request(call.arguments[0], of: rights)]
    }[0]
  }

  /// The requests of a `NotifyMany`, all or none.
  func notifyMany(_ call: IncomingCall, _ rights: Rights) async throws -> [String] {
    let isLong = call.size > Self.longCall || call.count(of: 0, upTo: LongCalls.slice) > LongCalls.slice
    return try await requestSide.requests.notify(rights, from: Caller(call.sender), isLong: isLong) {
      try await requests(in: call, of: rights)
    }
  }

  /// The requests of a `NotifyMany`. Each is read and checked before the next; the first invalid one ends the call. The
  /// loop gets a turn between two slices.
  private func requests(in call: IncomingCall, of rights: Rights) async throws -> [NotificationRequest] {
    try rights.checkRequests(of: call)
    let elements = call.elements(of: 0)
    defer { elements.end() }
    let most = rights.mostRequests
    let count = elements.count(upTo: most)
    guard count <= most else {
      throw CenterError(.limitExceeded, "more than \(most) requests; send them in several calls")
    }
    try requestSide.quota.check(rights, count)
    screenSide.trim.trim(after: count)
    var requests: [NotificationRequest] = []
    requests.reserveCapacity(count)
    var end = EventLoop.Clock.monotonic.now + Self.readingTime
    while true {
      do throws(CenterError) {
        guard elements.nextSize <= CenterInterface.longestRequest else {
          throw CenterError(
            .limitExceeded,
            "a request of \(elements.nextSize) bytes; at most \(CenterInterface.longestRequest) are taken")
        }
        guard let element = elements.next() else { return requests }
        requests.append(try CenterInterface.request(element, of: rights))
      } catch {
        throw error.at(requests.count)
      }
      if requests.count.isMultiple(of: 16), EventLoop.Clock.monotonic.now > end {
        await connection.loop.nextTurn()
        end = EventLoop.Clock.monotonic.now + Self.readingTime
      }
    }
  }
}
