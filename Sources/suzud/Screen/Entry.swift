// SPDX-License-Identifier: Apache-2.0
internal import Freedesktop
internal import NotificationModel
internal import Scheduling

/// A request: its app and its id, both compared by their bytes, as in the store.
struct RequestKey: Hashable {
  let app: String
  let id: String
  /// The delivery, if several dates of the request are shown side by side; nil otherwise.
  let delivery: DeliveryRecord.Number?
  /// Of the app and the id. A notification is looked up some twenty times on its way to the screen.
  private let hash: Int

  init(app: String, id: String, delivery: DeliveryRecord.Number? = nil) {
    (self.app, self.id, self.delivery) = (app, id, delivery)
    var hasher = Hasher()
    app.hashBytes(into: &hasher)
    id.hashBytes(into: &hasher)
    hash = hasher.finalize()
  }

  private init(baseOf key: RequestKey) { (app, id, delivery, hash) = (key.app, key.id, nil, key.hash) }

  /// The key of the request, without its date.
  var base: RequestKey { delivery == nil ? self : RequestKey(baseOf: self) }

  static func == (left: RequestKey, right: RequestKey) -> Bool {
    left.hash == right.hash && left.delivery == right.delivery && left.id.isIdentical(to: right.id)
      && left.app.isIdentical(to: right.app)
  }

  func hash(into hasher: inout Hasher) {
    hasher.combine(hash)
    if let delivery { hasher.combine(delivery) }
  }
}

extension RequestKey {
  /// The key of a delivery; the same after a restart of the center.
  init(_ due: Due) {
    self.init(
      app: due.request.app.text, id: due.request.id?.text ?? "", delivery: due.isOneOfMany ? due.record?.delivery : nil)
  }

  /// The key of a request that has an id.
  init(_ request: NotificationRequest) { self.init(app: request.app.text, id: request.id?.text ?? "") }
}

/// How far a request has come.
enum Stage {
  /// It waits in the queue.
  case queued
  /// The server was called, and has not answered yet.
  case posting
  /// It is on the screen.
  case shown(PostedNumber)
}

/// A request that is due, or on the screen.
struct Entry {
  let due: Due
  var stage: Stage
  /// Distinguishes it from an earlier request with the same id, whose answers may still arrive.
  let revision: UInt64
  /// The notification of an earlier request with the same id, which this one will replace on the screen.
  var replaces: PostedNumber?
  /// Whether that notification was closed to make room, and has ended as replaced.
  var hasRoom = false
  /// Whether it was on the screen of a server that ended, or is on the screen and is changed there.
  var isReshown = false
  /// Whether it is on the screen, and only its expiry is changed, which no program learns.
  var isRenewed = false
  /// Whether it was closed to make room for a newer one of its app, and waits for room itself.
  var waitsForRoom = false
  /// Whether its texts are hidden, and come with the unlock of the session.
  var textsReturn = false
  /// Whether it was answered, perhaps while the server was asked to show it again: there is one answer only.
  var isAnswered = false
  /// How often a server has refused it since it was last shown.
  var refusals = 0

  var request: NotificationRequest { due.request }

  /// The notification of this id that is on the screen now.
  var onScreen: PostedNumber? {
    if case .shown(let number) = stage { number } else { replaces }
  }

  /// Whether it is not on the screen yet.
  var isPending: Bool {
    if case .shown = stage { false } else { true }
  }

  /// Whether the server has not been called for it yet.
  var isUnasked: Bool { isPending && !isPosting }

  /// Whether a date of the same repetition has come since, before the server was called for this one. Two that were
  /// postponed by the same time have no dates in common.
  func isEarlierDate(of due: Due) -> Bool {
    isUnasked && !self.due.isSame(as: due) && due.request.schedule.isRepeating
      && request.schedule.hasSameDates(as: due.request.schedule)
  }

  /// Whether it is on the screen and came earlier than another one.
  func isBefore(_ other: Entry) -> Bool {
    guard !isPending, let delivery = due.record?.delivery, let later = other.due.record?.delivery else { return false }
    return delivery < later
  }

  /// Whether the server was called, and has not answered yet.
  var isPosting: Bool {
    if case .posting = stage { true } else { false }
  }
}

extension Due {
  /// Whether both are the same date of the same request, and not one that came after it.
  func isSame(as other: Due) -> Bool {
    self === other || record != nil && record == other.record
  }
}
