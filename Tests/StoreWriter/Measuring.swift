// SPDX-License-Identifier: Apache-2.0
import Glibc
import NotificationModel
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

  /// More than a center keeps, and younger than it keeps history. The copy of today is made as well: with it, a center
  /// that starts does not purge before it is measured.
  func fillHistory() throws(StoreError) {
    var options = Store.Options()
    // The usual ones would trim it.
    options.quotas.historyRows = 1 << 40
    options.quotas.historyBytes = 1 << 50
    let store = try Store(folder: folder, options: options, clock: wallClock)
    let now = wallClock()
    var requests = Requests(seed: 11)
    var stored = 0
    while stored < count {
      let more = min(count - stored, 5000)
      let due = batch(stored..<stored + more, &requests).map {
        NewRequest(app: $0.app, id: $0.id, payload: $0.payload, start: .now)
      }
      stored += more
      try store.withTransaction { () throws(StoreError) in
        for (index, record) in try store.putDue(due, now: now).enumerated() {
          try store.recordShown(
            record.number, server: ":1.5", serverNumber: record.number.value, keys: "{}", now: now)
          if index.isMultiple(of: 3) {
            let response = try store.commitResponse(
              to: record, action: "default", reply: nil, now: now)
            try store.finish(response.number, outcome: "done", now: now)
          }
          try store.recordClosed(record.number, reason: index.isMultiple(of: 3) ? "answered" : "expired", now: now)
        }
      }
    }
    try store.backup()
    store.close()
  }

  /// Shown once, as if for a minute, and due again five seconds from now.
  func storeNags() throws(StoreError) {
    let nag = Nag.every(.seconds(60))
    let shown = Timestamp(milliseconds: wallClock().milliseconds + 5000 - 60_000)
    let store = try openStore()
    let plan = NagPlan(nag: nag, wakes: false, step: 0)
    try store.withTransaction { () throws(StoreError) in
      let due = (0..<count).map { number in
        NewRequest(
          app: "dev.suzu.Bench", id: "nag\(number)",
          payload: "{\"app\":\"dev.suzu.Bench\",\"id\":\"nag\(number)\",\"title\":\"Take your pill\",\"nag\":\"1m\"}",
          start: .now)
      }
      for record in try store.putDue(due, now: shown) {
        try store.recordShown(
          record.number, server: "none", serverNumber: record.number.value, keys: nil, nag: plan, now: shown)
        try store.recordResting(record.number, reason: "expired", nag: plan, now: shown)
      }
    }
    store.close()
  }
}
