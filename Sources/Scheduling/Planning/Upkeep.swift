// SPDX-License-Identifier: Apache-2.0

/// Once a day: a copy of the store, and the end of history that is too old. A little in each turn of the loop.
public final class Upkeep {
  private let store: Store
  private let time: any TimeSource
  private var copy: StoreCopy?
  private var isEnded = false
  /// Hears of what a person should know; one line.
  public var report: (String) -> Void = { _ in }

  private static let day: Int64 = 86_400_000
  /// After a start there is more important work.
  private static let pause: Int64 = 60_000

  /// On that store.
  public init(store: Store, time: any TimeSource) {
    self.store = store
    self.time = time
  }

  /// From now on, every day.
  public func start() {
    let due = (store.lastCopy ?? time.wall - Self.day) + Self.day
    // A copy from a clock that was ahead must not put it off for years.
    wait(min(max(due - time.wall, Self.pause), Self.day))
  }

  /// Leaves what it was about.
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

  private func goOn() {
    guard let copy, !isEnded else { return }
    do throws(StoreError) {
      guard try copy.step() else { return time.callNext { [weak self] in self?.goOn() } }
      self.copy = nil
      wait(Self.day)
    } catch {
      failed(error)
    }
  }

  private func failed(_ error: StoreError) {
    copy = nil
    report("today's copy of the store could not be made: \(error.message)")
    wait(Self.day)
  }
}
