// SPDX-License-Identifier: Apache-2.0
public import NotificationModel

/// A request that is due now.
///
/// A class, because several objects hold it on its way to the screen, and a request is too large to copy.
public final class Due: Sendable {
  /// The request, with its id filled in.
  public let request: NotificationRequest
  // Set on the thread of the store, where all that reads it runs.
  /// Its rows in the store; nil if it could not be stored yet, or is the center's own.
  nonisolated(unsafe) public private(set) var record: Record?
  /// The date that has come.
  public let date: Timestamp
  /// The number of earlier dates that it includes.
  public let missed: Int
  /// Whether an earlier run recorded it and may have shown it.
  public let isAgain: Bool
  /// Whether it is shown side by side with the other dates of its request (`missed: each`).
  public var isOneOfMany: Bool { request.schedule.showsEachDate }
  /// What happened, if it waited for a condition: the values of `{event.KEY}`.
  public let event: EventDetails
  /// The rights that the request was made with, as an opaque text; nil for the user.
  public let asker: String?
  /// How many times it was shown before, if it is shown again until it is answered.
  public let earlierShowings: Int
  /// How many steps of its escalation have come.
  public let step: Int
  /// The last moment to show it for the first time, if it is a push that has one.
  public let lapses: Timestamp?
  /// Whether its app may change it before it is shown: a push that asks for that, in the run that has received it.
  public let isMutable: Bool
  /// Where the request comes from, if nothing in it was changed since; nil if it is not known.
  public let source: DecodedRequest?
  /// The request without its escalation; nil without one.
  private let unescalated: Unescalated?

  /// An object of its own, because few have it: with two requests in it, a `Due` would be larger than the blocks that
  /// `malloc` keeps at hand.
  private final class Unescalated: Sendable {
    let request: NotificationRequest
    init(_ request: NotificationRequest) { self.request = request }
  }

  /// The rows of a due request.
  public struct Record: Hashable, Sendable {
    /// The number of the delivery.
    public let delivery: DeliveryRecord.Number
    /// The revision of the request.
    public let revision: StoredRequest.Revision

    /// Rows with these numbers.
    public init(delivery: DeliveryRecord.Number, revision: StoredRequest.Revision) {
      self.delivery = delivery
      self.revision = revision
    }
  }

  /// Something to be shown.
  public init(
    _ request: consuming NotificationRequest, record: Record? = nil, date: Timestamp, missed: Int = 0,
    isAgain: Bool = false, event: EventDetails = [:], asker: String? = nil, earlierShowings: Int = 0, step: Int = 0,
    lapses: Timestamp? = nil, isMutable: Bool = false, source: DecodedRequest? = nil
  ) {
    let isPlain = !request.content.mayNeedDetails
    if !isPlain { request.fill(with: event.dictionary) }
    self.source = isPlain && step == 0 ? source : nil
    unescalated = step > 0 ? Unescalated(copy request) : nil
    request.escalate(to: step)
    self.request = request
    self.earlierShowings = earlierShowings
    self.step = step
    self.event = event
    self.record = record
    self.date = date
    self.missed = missed
    self.isAgain = isAgain
    self.asker = asker
    self.lapses = lapses
    self.isMutable = isMutable
  }

  /// From a delivery record.
  public convenience init(
    _ request: NotificationRequest, as record: DeliveryRecord, missed: Int = 0, isAgain: Bool = false, asker: String?,
    step: Int? = nil, lapses: Timestamp? = nil, isMutable: Bool = false
  ) {
    let showings = record.showings
    // One that is on the screen has been counted.
    let earlier = (showings?.count ?? 0) - (record.state == .shown ? 1 : 0)
    self.init(
      request, record: Record(delivery: record.number, revision: record.revision), date: record.occurrence.due,
      missed: missed, isAgain: isAgain, event: EventDetails(record.event), asker: asker,
      earlierShowings: max(0, earlier), step: step ?? showings?.step ?? 0, lapses: lapses, isMutable: isMutable)
  }

  private init(_ due: Due, request: NotificationRequest, missed: Int, source: DecodedRequest?) {
    self.request = request
    self.missed = missed
    self.source = source
    record = due.record
    date = due.date
    isAgain = due.isAgain
    event = due.event
    asker = due.asker
    earlierShowings = due.earlierShowings
    step = due.step
    lapses = due.lapses
    isMutable = due.isMutable
    unescalated = due.unescalated
  }

  /// It could be stored after all.
  func wasStored(as record: DeliveryRecord) {
    self.record = Record(delivery: record.number, revision: record.revision)
  }

  /// This is what came of another one before that was stored.
  public func takeRecord(of other: Due) { record = other.record }

  /// The same with another request.
  public func showing(_ request: NotificationRequest) -> Due {
    Due(self, request: request, missed: missed, source: nil)
  }

  /// The same, for an earlier date of the request that has not been shown.
  public func standing(for earlier: Due) -> Due {
    Due(self, request: request, missed: missed + earlier.missed + 1, source: source)
  }
}

extension Due {
  /// The request as it was made, without the changes of its escalation.
  public var original: NotificationRequest { unescalated?.request ?? request }

  /// How it is shown again until it is answered; nil if it is not.
  public var nag: NagPlan? { request.nagPlan(at: step) }

  /// Whether another showing follows this one, unless the user answers.
  public var isShownAgain: Bool {
    request.content.nag?.isShownAgain(afterShowings: earlierShowings + 1, step: step) == true
  }
}
