// SPDX-License-Identifier: Apache-2.0
import Glibc
import Scheduling

/// What `make bench` asks.
struct Measuring {
  let folder: String
  let count: Int

  private func microseconds() -> Double {
    var time = timespec()
    clock_gettime(CLOCK_MONOTONIC, &time)
    return Double(time.tv_sec) * 1e6 + Double(time.tv_nsec) / 1e3
  }

  private func openStore() throws(StoreError) -> Store { try Store(folder: folder, clock: wallClock) }

  private func batch(_ range: Range<Int>, _ requests: inout Requests) -> [NewRequest] {
    range.map { requests.make(app: "dev.suzu.Bench\($0 % 10)", id: "\(requests.random(below: 1 << 30))-\($0)") }
  }

  /// With dates that neither come while it is measured nor move with the machine's zone, as a center would have them.
  func fill() throws(StoreError) {
    let store = try openStore()
    var requests = Requests(seed: 7)
    var stored = try store.pendingCount()
    while stored < count {
      let more = min(count - stored, 20_000)
      let batch = batch(stored..<stored + more, &requests).map { request in
        NewRequest(
          app: request.app, id: request.id,
          payload: request.payload.dropLast() + ",\"at\":\"2100-01-01T00:00:00Z\"}",
          start: .at(
            PlannedDate(due: Timestamp(milliseconds: 4_102_444_800_000) + Int64(requests.random(below: 1 << 30)) * 16)))
      }
      try store.put(batch, now: 1)
      stored += more
    }
  }

  func put() throws(StoreError) {
    let store = try openStore()
    var requests = Requests(seed: 3)
    let batch = batch(0..<count, &requests)
    let began = microseconds()
    try store.put(batch, now: 1)
    print("put_us \((microseconds() - began) / Double(count))")
  }
}
