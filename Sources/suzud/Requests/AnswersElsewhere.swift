// SPDX-License-Identifier: Apache-2.0
internal import NotificationModel
internal import Scheduling

/// Takes down what was answered on another desktop. The first answer that the server had counts; a user whose answer
/// came second is told.
final class AnswersElsewhere {
  private let store: Store
  private let journal: Journal
  private let time: any TimeSource
  private let acknowledgements: Acknowledgements
  private let withdrawals: Withdrawals
  private let pushes: Pushes

  init(
    store: Store, journal: Journal, time: any TimeSource, acknowledgements: Acknowledgements, withdrawals: Withdrawals,
    pushes: Pushes
  ) {
    self.store = store
    self.journal = journal
    self.time = time
    self.acknowledgements = acknowledgements
    self.withdrawals = withdrawals
    self.pushes = pushes
  }

  /// An answer has come, in the order of the server.
  ///
  /// - Parameters:
  ///   - push: the sender's id of the push.
  ///   - name: the name of the other desktop; nil if it was this one.
  func answered(
    _ app: String, push: String, by name: String?, _ rights: Rights, from caller: Caller?
  ) async throws(CenterError) {
    let now = time.wall
    let taken: Result<Store.AnsweredPush?, StoreError> = journal.writeNow(sync: .atOnce) { store throws(StoreError) in
      try store.recordAnswer(toPush: push, of: app, by: name ?? "", now: now)
    }
    let found: Store.AnsweredPush
    switch taken {
    case .success(let one?): found = one
    // It is not known here, or was answered before.
    case .success(nil): return
    case .failure(let error): throw CenterError(error)
    }
    guard let name else { return }
    if found.isAnsweredHere { return try await tell(found, app, name, rights, from: caller) }
    guard found.isOpen else { return }
    if try await acknowledgements.acknowledge(app, [found.id], rights, from: caller) == 0 {
      // It waits to be shown, or the server is showing it and has not answered yet: it may do so while the cancelling is
      // committed.
      _ = try await withdrawals.cancel(app, [found.id], rights, from: caller)
      _ = try await acknowledgements.acknowledge(app, [found.id], rights, from: caller)
    }
    journal.note { store throws(StoreError) in try store.nameEnd(of: found.number, "answered on \(name)") }
  }

  /// The user has answered here, a moment too late.
  private func tell(
    _ found: Store.AnsweredPush, _ app: String, _ name: String, _ rights: Rights, from caller: Caller?
  ) async throws(CenterError) {
    let alert: [String: PlainValue] = [
      "title": .text(found.title), "body": .text("It was already answered on \(name)."),
    ]
    var options = PushOptions()
    options.collapse = RequestID(trusted: found.id)
    let payload: PushPayload
    do throws(RequestError) { payload = try PushPayload(["aps": .dictionary(["alert": .dictionary(alert)])]) } catch {
      throw CenterError(.invalidRequest, error.description)
    }
    _ = try await pushes.push(payload, to: AppID(trusted: app), options, rights, from: caller)
  }
}
