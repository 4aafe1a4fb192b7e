// SPDX-License-Identifier: Apache-2.0

extension Journal {
  /// Shows a push before it is stored, because the commit takes longer than all else until its notification: notes it,
  /// calls `show` with its delivery, and stores it in a commit of its own, without a sync.
  ///
  /// If the center is killed in between, its next start stores what is noted.
  ///
  /// - Parameters:
  ///   - request: its request, which starts now.
  ///   - more: what else belongs to that commit.
  /// - Returns: nil if nothing was done, because it must be stored first: other writes wait, pushes come in quick
  ///   succession, it is known already, its request replaces another, or it cannot be noted.
  public func showBeforeCommit(
    _ push: PushRecord, _ request: NewRequest, now: Timestamp, show: (DeliveryRecord) -> Void,
    storing more: (Store) throws(StoreError) -> Void
  ) -> Result<Void, StoreError>? {
    if !isEmpty || busTurn.isQuick(at: time.elapsed) { return nil }
    guard isNew(push, request, now: now), let delivery = store.noteDelivery(of: push, request, now: now) else {
      return nil
    }
    show(delivery)
    busTurn.yield(at: time.elapsed)
    // A later start must not store what was refused.
    defer { store.eraseNote() }
    do throws(StoreError) {
      try store.withUnsyncedTransaction { () throws(StoreError) in
        try store.put(push, request, as: delivery, now: now)
        try more(store)
      }
      return .success(())
    } catch {
      return .failure(error)
    }
  }

  private func isNew(_ push: PushRecord, _ request: NewRequest, now: Timestamp) -> Bool {
    do throws(StoreError) {
      if let id = push.id, try store.request(ofPush: id, of: push.app, now: now) != nil { return false }
      return try store.request(app: request.app, id: request.id) == nil
    } catch {
      return false
    }
  }
}
