// SPDX-License-Identifier: Apache-2.0
import DBus
import Synchronization
import TestSupport

/// A client that makes random calls until the center is gone.
final class RandomClient: Sendable {
  private let stand: FaultStand
  private let recorder: Recorder
  private let last = Atomic<Int>(0)
  /// The requests that may be cancelled.
  private let later = Mutex<[String]>([])
  /// Requests that the center has reported as delivered, and that no later call has proved to be recorded.
  private let told = Mutex<[(id: String, by: BusName)]>([])

  init(_ stand: FaultStand, _ recorder: Recorder) {
    self.stand = stand
    self.recorder = recorder
  }

  func listen() async throws {
    let signals = try await stand.client.signals(
      matching: MatchRule(sender: FaultStand.name, interface: FaultStand.interface, member: "Delivered"),
      buffering: 1_000_000)
    // It ends with the connection.
    _ = Task {
      for try await signal in signals {
        guard let id = signal.arguments[1].string, let center = signal.sender else { continue }
        told.withLock { $0.append((id, center)) }
      }
    }
  }

  func work(at center: BusName) async {
    await withTaskGroup { group in
      for _ in 0..<3 {
        group.addTask {
          do {
            try await self.stand.call("Watch", [true], of: center)
            // A center shows late what the last one missed; the user clears the screen now and then.
            if Int.random(in: 0..<3) == 0 { try await self.stand.call("Dismiss", ["test", .strings([])], of: center) }
            for _ in 0..<15 { try await self.step(center) }
          } catch {
            // The center is gone; the calls in flight are neither accepted nor refused.
          }
        }
      }
    }
  }

  private func step(_ center: BusName) async throws {
    // A delivery before this call was recorded before its answer: the journal is in order.
    let delivered = told.withLock { told in
      defer { told = [] }
      return told.filter { $0.by == center }.map(\.id)
    }
    switch Int.random(in: 0..<10) {
    case 0..<4: try await notify(center)
    case 4..<7: try await notifyLater(center)
    case 7: try await notifyMany(center)
    default: try await cancel(center)
    }
    for id in delivered { recorder.add(.noted(id, by: center.text)) }
  }

  private func makeID() -> String { "n\(last.wrappingAdd(1, ordering: .relaxed).newValue)" }

  private func notify(_ center: BusName) async throws {
    let id = makeID()
    recorder.add(.tried(id))
    try await stand.call("Notify", [FaultStand.request(id, ["actions": stand.button()])], of: center)
    recorder.add(.accepted(id, due: 0))
  }

  private func delayed(_ id: String) -> (request: Value, due: Int64) {
    let delay = Int64.random(in: 50...500)
    let request = FaultStand.request(id, ["actions": stand.button(), "in": .string("\(delay)ms")])
    return (request, wallMilliseconds() + delay)
  }

  private func notifyLater(_ center: BusName) async throws {
    let id = makeID()
    recorder.add(.tried(id))
    let (request, due) = delayed(id)
    try await stand.call("Notify", [request], of: center)
    recorder.add(.accepted(id, due: due))
    later.withLock { $0 = ($0 + [id]).suffix(20) }
  }

  private func notifyMany(_ center: BusName) async throws {
    var (requests, dues): ([Value], [(String, Int64)]) = ([], [])
    for part in 0..<5 {
      let id = makeID()
      recorder.add(.tried(id))
      let (request, due) = delayed(id)
      requests.append(part.isMultiple(of: 2) ? request : FaultStand.request(id, ["actions": stand.button()]))
      dues.append((id, part.isMultiple(of: 2) ? due : 0))
    }
    try await stand.call("NotifyMany", [.array(of: .properties, requests)], of: center)
    for (id, due) in dues { recorder.add(.accepted(id, due: due)) }
  }

  private func cancel(_ center: BusName) async throws {
    let id = later.withLock { later -> String? in
      guard let index = later.indices.randomElement() else { return nil }
      return later.remove(at: index)
    }
    guard let id else { return }
    recorder.add(.cancelTried(id))
    let count = try await stand.call("Cancel", ["test", .strings([id])], of: center).first?.uint32
    guard count == 1 else { return }
    // The bus keeps the order: the server receives earlier posts of the center before this call.
    try await stand.pingServer()
    recorder.add(.cancelled(id))
  }
}
