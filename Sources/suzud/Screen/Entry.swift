// SPDX-License-Identifier: Apache-2.0
internal import Freedesktop
internal import NotificationModel
internal import Scheduling

/// Which request is meant: an app's id. Both count by their bytes, as in the store.
struct RequestKey: Hashable {
  let app: String
  let id: String
  /// The delivery of one of several dates that are shown beside one another; nil for the only one.
  var delivery: DeliveryRecord.Number?

  static func == (left: RequestKey, right: RequestKey) -> Bool {
    left.delivery == right.delivery && left.id.isIdentical(to: right.id) && left.app.isIdentical(to: right.app)
  }

  func hash(into hasher: inout Hasher) {
    app.hashBytes(into: &hasher)
    id.hashBytes(into: &hasher)
    hasher.combine(delivery)
  }
}

extension RequestKey {
  /// Where a delivery stands: a restart of the center finds the same place for it.
  init(_ due: Due) {
    self.init(
      app: due.request.app, id: due.request.id ?? "", delivery: due.isOneOfMany ? due.record?.delivery : nil)
  }

  /// The request, whichever of its dates this is.
  var base: RequestKey { RequestKey(app: app, id: id) }
}

/// Where a request is on its way to the screen.
enum Stage {
  /// It stands in the queue.
  case queued
  /// The server was asked, and has not answered yet.
  case posting
  /// It is on the screen.
  case shown(PostedNumber)
}

/// A request that is due, or on the screen.
struct Entry {
  let due: Due
  var stage: Stage
  /// Told apart from an earlier request with the same id, whose answers may still come.
  let revision: UInt64
  /// An earlier request with the same id is on the screen, and this one will take its place.
  var replaces: PostedNumber?
  /// That earlier one was closed to make room, and has ended as replaced.
  var hasRoom = false
  /// It was on the screen of a server that ended.
  var isReshown = false
  /// How often a server refused it.
  var refusals = 0

  var request: NotificationRequest { due.request }

  /// What the user sees of this id at the moment.
  var onScreen: PostedNumber? {
    if case .shown(let number) = stage { number } else { replaces }
  }

  /// Whether it has yet to come to the screen.
  var isPending: Bool {
    if case .shown = stage { false } else { true }
  }

  /// Whether no server was asked yet.
  var isUnasked: Bool { isPending && !isPosting }

  /// Whether the server was asked, and has not answered yet.
  var isPosting: Bool {
    if case .posting = stage { true } else { false }
  }
}
