// SPDX-License-Identifier: Apache-2.0

/// Daily maintenance: copies the store and deletes old history, a little in each turn of the loop.
public final class Upkeep {
  private let store: Store
  private let time: any TimeSource
  private var copy: StoreCopy?
  private var isEnded = false
  /// Receives messages for the user; one line each.
  public var report: (String) -> Void = { _ in }

  private static let day: Int64 = 86_400_000
  /// The delay after a start, which has more important work.
  private static let pause: Int64 = 60_000

  /// Creates the upkeep of a store.
  public init(store: Store, time: any TimeSource) {
    self.store = store
    self.time = time
  }

  /// Runs every day from now on.
  public func start() {
    let due = (store.lastCopy ?? time.wall - Self.day) + Self.day
    // A copy with a date in the future, from a clock that was ahead, must not delay the next one for years.
    wait(min(max(due - time.wall, Self.pause), Self.day))
  }

  /// Abandons the work in progress.
  public func end() {
    isEnded = true
    copy = nil
  }

  private func wait(_ milliseconds: Int64) {
    time.call(after: milliseconds) { [weak self] in self?.begin() }
  }

  private func begin() {
    if isEnded { return }
    purge()
  }

  private func purge() {
    if isEnded { return }
    do throws(StoreError) {
      guard try store.purge(now: time.wall, limit: 200) else {
        return time.callNext { [weak self] in self?.purge() }
      }
      copy = try store.beginCopy()
      goOn()
    } catch {
      failed(error)
    }
  }

  /// Copies a piece, and waits for the disk on another thread: on a busy disk, that was measured to take 700 ms.
  private func goOn() {
    guard let copy, !isEnded else { return }
    do throws(StoreError) {
      let copied = try copy.copy()
      if copied.isComplete { self.copy = nil }
      time.callAway {
        Result { () throws(StoreError) in try copied.settle() }
      } then: { [weak self] in
        self?.settled($0, isComplete: copied.isComplete)
      }
    } catch {
      failed(error)
    }
  }

  private func settled(_ result: Result<Void, StoreError>, isComplete: Bool) {
    if isEnded { return }
    switch result {
    case .failure(let error): failed(error)
    case .success where isComplete: wait(Self.day)
    case .success: goOn()
    }
  }

  private func failed(_ error: StoreError) {
    copy = nil
    report("the daily copy of the store failed: \(error.message)")
    wait(Self.day)
  }
}
