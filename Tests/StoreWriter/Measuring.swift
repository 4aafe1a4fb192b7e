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

  /// Residents of this process, in KiB, at most so far.
  private var memory: Int {
    var usage = rusage()
    getrusage(__rusage_who_t(RUSAGE_SELF.rawValue), &usage)
    return usage.ru_maxrss
  }

  private func openStore() throws(StoreError) -> Store { try Store(folder: folder, clock: wallClock) }

  private func batch(_ range: Range<Int>, _ requests: inout Requests) -> [NewRequest] {
    range.map { requests.make(app: "dev.suzu.Bench\($0 % 10)", id: "\(requests.random(below: 1 << 30))-\($0)") }
  }

  private func fill(_ store: Store) throws(StoreError) {
    var requests = Requests(seed: 7)
    var stored = try store.pendingCount()
    while stored < count {
      let more = min(count - stored, 20_000)
      try store.put(batch(stored..<stored + more, &requests), now: 1)
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

  func one() throws(StoreError) {
    let store = try openStore()
    try fill(store)
    var requests = Requests(seed: 9)
    var times: [Double] = []
    for number in 0..<2000 {
      let request = requests.make(app: "dev.suzu.Bench1", id: "\(requests.random(below: 1 << 30))-one-\(number)")
      let began = microseconds()
      try store.put([request], now: 1)
      times.append(microseconds() - began)
    }
    times.sort()
    print("one_us \(times[1000]) mean_us \(times.reduce(0, +) / 2000) memory_kb \(memory)")
  }

  func open() throws(StoreError) {
    try fill(try openStore())
    var times: [Double] = []
    for _ in 0..<51 {
      let began = microseconds()
      let store = try openStore()
      _ = try store.nearestDue(limit: 64)
      times.append(microseconds() - began)
      store.close()
    }
    times.sort()
    print("open_us \(times[25]) memory_kb \(memory)")
  }
}
