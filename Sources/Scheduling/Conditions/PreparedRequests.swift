// SPDX-License-Identifier: Apache-2.0
internal import NotificationModel

/// A request that waits for a condition, as it is stored and as it is shown. A class, because both are large.
final class MetRequest {
  let stored: StoredRequest
  let decoded: DecodedRequest
  var request: NotificationRequest { decoded.request }

  init(stored: StoredRequest, decoded: DecodedRequest) {
    self.stored = stored
    self.decoded = decoded
  }
}

/// Requests that wait for conditions, decoded: those that were armed or met most recently. The notification of another
/// one waits until its row is read and decoded.
///
/// Few, because a thousand may be armed. Nothing but their own end and the opening of another store changes what is
/// read from here: the number of times they were met, their texts and their asker.
struct PreparedRequests {
  /// How many are kept.
  static let most = 8
  /// The longest payload that is kept, in bytes.
  static let longest = 4096

  /// The oldest first.
  private var requests: [MetRequest] = []

  /// Keeps a request, in place of the oldest one and of an older state of the same.
  mutating func keep(_ one: MetRequest) {
    forget([one.stored.revision])
    guard one.stored.payload.utf8.count <= Self.longest else { return }
    if requests.count == Self.most { requests.removeFirst() }
    requests.append(one)
  }

  mutating func forget(_ revisions: [StoredRequest.Revision]) {
    if requests.isEmpty { return }
    requests.removeAll { revisions.contains($0.stored.revision) }
  }

  subscript(revision: StoredRequest.Revision) -> MetRequest? { requests.last { $0.stored.revision == revision } }

  /// The request of a row, decoded; nil if it cannot be read.
  func decoded(_ stored: StoredRequest) -> MetRequest? {
    if let one = self[stored.revision], one.stored.payload.isIdentical(to: stored.payload) {
      return MetRequest(stored: stored, decoded: one.decoded)
    }
    return Payload.request(stored).map { MetRequest(stored: stored, decoded: DecodedRequest($0)) }
  }
}
