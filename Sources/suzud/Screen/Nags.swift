// SPDX-License-Identifier: Apache-2.0
internal import NotificationModel
internal import Scheduling

/// The notifications that are shown again until they are answered. Between two showings such a notification may be off
/// the screen: it rests, and has not ended.
final class Nags {
  /// How many of a sandboxed app are shown again at the same time; others are shown once.
  static let mostOfABox = 100

  private struct Nag {
    let key: RequestKey
    /// The rights of its request; nil for the user.
    let asker: String?
    /// Nil until it is shown in this run.
    var plan: NagPlan?
    var isResting: Bool
    /// Where it was last shown in this run.
    var shown: Shown?
  }

  /// The number of a showing, and the name of its server in the store.
  struct Shown {
    let server: String
    let number: UInt32
  }

  private let journal: Journal
  private let time: any TimeSource
  private var open: [DeliveryRecord.Number: Nag] = [:]
  private var numbers: [RequestKey: Set<DeliveryRecord.Number>] = [:]
  /// How many are open with the rights of a sandboxed app.
  private var boxed: [String: Int] = [:]

  init(journal: Journal, time: any TimeSource) {
    self.journal = journal
    self.time = time
  }

  var isEmpty: Bool { open.isEmpty }

  /// Whether it is shown again.
  func isOpen(_ number: DeliveryRecord.Number) -> Bool { open[number] != nil }

  /// The requests of an app that have such notifications.
  func keys(of app: String) -> [RequestKey] { numbers.keys.filter { $0.app.isIdentical(to: app) } }

  // MARK: Beginning

  /// Adds one that an earlier run of the center left.
  func restore(_ nag: Store.StoredNag) {
    insert(
      nag.number,
      Nag(
        key: RequestKey(app: nag.app, id: nag.id), asker: nag.asker, plan: nil, isResting: nag.isResting))
  }

  /// A delivery is about to be shown, for the first time or again.
  func begin(_ due: Due) {
    guard let number = due.record?.delivery else { return }
    guard due.isShownAgain, let plan = due.nag else {
      _ = remove(number)
      return
    }
    if open[number] != nil {
      open[number]?.plan = plan
      open[number]?.isResting = false
    } else if due.asker.map({ boxed[$0, default: 0] < Self.mostOfABox }) ?? true {
      insert(number, Nag(key: RequestKey(due).base, asker: due.asker, plan: plan, isResting: false))
    }
  }

  private func insert(_ number: DeliveryRecord.Number, _ nag: Nag) {
    open[number] = nag
    numbers[nag.key, default: []].insert(number)
    if let asker = nag.asker { boxed[asker, default: 0] += 1 }
  }

  /// A server shows it.
  func noteShown(_ due: Due, _ number: UInt32, on server: String) {
    guard let delivery = due.record?.delivery else { return }
    open[delivery]?.shown = Shown(server: server, number: number)
  }

  /// The number of its last showing on this server, which may keep it in a list; 0 if there was none.
  func lastNumber(of due: Due, on server: String) -> UInt32 {
    guard let delivery = due.record?.delivery, let shown = open[delivery]?.shown, shown.server == server else {
      return 0
    }
    return shown.number
  }

  // MARK: Resting

  /// Whether an end is none, because the user has not answered: the notification rests, and is shown again.
  func rests(_ ended: Ended) -> Bool {
    guard ended.end.leavesUnanswered, let number = ended.delivery, var nag = open[number], let plan = nag.plan else {
      return false
    }
    nag.isResting = true
    open[number] = nag
    let (reason, now) = (ended.end.rawValue, time.wall)
    journal.note { store throws(StoreError) in
      try store.recordResting(number, reason: reason, nag: plan, now: now)
    }
    return true
  }

  // MARK: Ending

  /// It is not shown again; returns its request if it rests, and so has ended.
  func stop(_ number: DeliveryRecord.Number) -> RequestKey? {
    guard let nag = remove(number) else { return nil }
    return nag.isResting ? nag.key : nil
  }

  /// One that was shown again, and is not any more.
  struct Stopped {
    let number: DeliveryRecord.Number
    /// Whether it rests, and so has ended.
    let isResting: Bool
    /// Where it was last shown in this run.
    let shown: Shown?
  }

  /// The notifications of a request are not shown again.
  ///
  /// - Parameter number: one that goes on.
  func stop(of key: RequestKey, except number: DeliveryRecord.Number? = nil) -> [Stopped] {
    guard let numbers = numbers[key.base] else { return [] }
    return numbers.sorted().filter { $0 != number }.compactMap { number in
      remove(number).map { Stopped(number: number, isResting: $0.isResting, shown: $0.shown) }
    }
  }

  private func remove(_ number: DeliveryRecord.Number) -> Nag? {
    guard let nag = open.removeValue(forKey: number) else { return nil }
    numbers[nag.key]?.remove(number)
    if numbers[nag.key]?.isEmpty == true { numbers[nag.key] = nil }
    if let asker = nag.asker {
      let count = boxed[asker, default: 0] - 1
      boxed[asker] = count > 0 ? count : nil
    }
    return nag
  }
}
