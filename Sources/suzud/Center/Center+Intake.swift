// SPDX-License-Identifier: Apache-2.0
internal import DBus
internal import EventLoop
internal import NotificationModel

/// How many requests come in with one call.
extension Center {
  /// How long requests are read before everything else has its turn.
  private static let readingTime: Duration = .milliseconds(10)

  /// The requests of a `NotifyMany`, each read and checked before the next one is looked at: the first that is wrong ends
  /// it. Between two slices the loop has a turn.
  func requests(in call: IncomingCall, of rights: Rights) async throws(RemoteError) -> [NotificationRequest] {
    try rights.checkRequests(of: call)
    let elements = call.elements(of: 0)
    defer { elements.end() }
    let most = rights.mostRequests
    let count = elements.count(upTo: most)
    guard count <= most else {
      throw RemoteError(CenterInterface.limitExceeded, "more than \(most) requests; send them in several calls")
    }
    try checkQuota(rights, count)
    trimMemory(after: count)
    var requests: [NotificationRequest] = []
    requests.reserveCapacity(count)
    var end = EventLoop.Clock.monotonic.now + Self.readingTime
    while true {
      do throws(RemoteError) {
        guard elements.nextSize <= CenterInterface.longestRequest else {
          throw RemoteError(
            CenterInterface.limitExceeded,
            "a request of \(elements.nextSize) bytes; at most \(CenterInterface.longestRequest) are taken")
        }
        guard let element = elements.next() else { return requests }
        requests.append(try CenterInterface.request(element, of: rights))
      } catch {
        throw RemoteError(error.name, "[\(requests.count)]: \(error.message)")
      }
      if requests.count.isMultiple(of: 16), EventLoop.Clock.monotonic.now > end {
        await loop.nextTurn()
        end = EventLoop.Clock.monotonic.now + Self.readingTime
      }
    }
  }
}
