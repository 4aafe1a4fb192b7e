// SPDX-License-Identifier: Apache-2.0
import Foundation
import TestSupport

/// Mixed traffic on one desktop. Each press must run its program exactly once, which every step checks.
struct Soak {
  /// A process to end while alerts are on the screen.
  enum End: CaseIterable {
    case server, center, bus
  }

  private let desktop: Desktop
  private var random: SplitMix
  private var count = 0
  private(set) var presses = 0
  private var ends = 0
  private var posted = 0
  private var before: Footprint?
  private let start = ContinuousClock.now

  init(_ desktop: Desktop, seed: UInt64) {
    self.desktop = desktop
    random = SplitMix(state: seed)
  }

  /// Runs each step once, so that one-time allocations precede the measurement.
  mutating func warmUp() throws {
    for kind in Kind.allCases { try step(kind) }
    before = try Footprint(of: try center())
  }

  mutating func step() throws { try step(Kind.allCases.randomElement(using: &random) ?? .ask) }

  private enum Kind: CaseIterable {
    case ask, askLater, askThree, pass, progress, takeBack, putAway
  }

  private mutating func step(_ kind: Kind) throws {
    do {
      try act(kind)
    } catch {
      throw TestFailure("\(kind), after \(posted) requests: \(error)")
    }
    try check()
  }

  private mutating func act(_ kind: Kind) throws {
    switch kind {
    case .ask:
      let id = try ask([:])
      try press([id])
    case .askLater:
      let id = try ask(["in": "\(Int.random(in: 100...900, using: &random))ms"])
      try press([id])
    case .askThree:
      var ids: [String] = []
      for _ in 0..<3 { ids.append(try ask([:])) }
      try press(ids)
    case .pass:
      _ = try post(["expires": "1s"])
    case .progress:
      let id = next()
      for percent in [0, 50, 100] { _ = try post(["id": id, "progress": percent, "expires": "1s"]) }
    case .takeBack:
      let id = try post(["in": "1h"])
      let words = ["cancel", "--app", Self.app(of: id), id]
      let taken = try desktop.session.suzu(words)
      try demand(taken.status == 0, "suzu cancel: \(taken.errors)")
    case .putAway:
      // Alone, so that the pointer hits it.
      try awaitOnly([])
      let id = try ask([:])
      _ = try desktop.popup(id)
      // dunst ignores a press at the moment its window appears; a user would press again.
      let end = ContinuousClock.now + .seconds(30)
      while let popup = try desktop.server.popups(on: desktop).first(where: { $0.title == id }) {
        try demand(ContinuousClock.now < end, "\(id) stays on the screen, however often it is dismissed")
        try desktop.server.dismiss(popup, on: desktop)
        if (try? desktop.awaitAbsence(of: id, within: 3)) != nil { break }
      }
      try desktop.awaitAbsence(of: id)
    }
  }

  /// Ends one of the three processes while alerts are on the screen; each alert must still be answerable.
  mutating func end(_ end: End) throws {
    var ids: [String] = []
    for _ in 0..<3 { ids.append(try ask([:])) }
    for id in ids { _ = try desktop.popup(id) }
    switch end {
    case .server:
      desktop.killServer()
      try desktop.startServer()
    case .center:
      let center = try center()
      kill(center, SIGKILL)
      try desktop.wait(for: "end of the center") {
        try desktop.session.process(of: "dev.suzu.Center") == nil ? () : nil
      }
      // The next call makes the bus start another center.
      _ = try post(["in": "1h"])
    case .bus:
      try desktop.restartBus()
    }
    ends += 1
    try press(ids)
    try check()
  }

  /// Checks that nothing ran without a press.
  mutating func settle() throws {
    try check()
    try demand(repeated == 0, "a program ran twice")
  }

  /// How many presses have not run their program.
  var lost: Int { presses - Set(desktop.deeds).count }
  /// How many times a program ran once more for the same press.
  var repeated: Int { desktop.deeds.count - Set(desktop.deeds).count }

  var figures: [String] {
    let seconds = (ContinuousClock.now - start).components.seconds
    return [
      "\(posted) requests in \(seconds) s", "\(presses) presses, \(lost) lost, \(repeated) done twice",
      "\(ends) ends of server, center and bus",
    ]
  }

  /// The center's growth since the warm-up.
  func growth() throws -> [String] {
    guard let before else { return [] }
    let now = try Footprint(of: try center())
    try demand(now.descriptors <= before.descriptors + 2, "descriptors: \(before.descriptors), then \(now.descriptors)")
    try demand(now.memory <= before.memory + 4096, "memory: \(before.memory) KiB, then \(now.memory) KiB")
    return [
      "memory \(before.memory) KiB, then \(now.memory)", "descriptors \(before.descriptors), then \(now.descriptors)",
    ]
  }

  // MARK: Requests and presses

  private mutating func next() -> String {
    count += 1
    return "soak\(count)"
  }

  /// Ten apps in turn, so that none is folded.
  private static func app(of id: String) -> String { "org.example.App\((Int(id.filter(\.isNumber)) ?? 0) % 10)" }

  private mutating func ask(_ words: [String: Any]) throws -> String {
    // Every server offers either a press on the notification itself or a button for it.
    let action: [String: Any] = [
      "id": "default", "title": "Do it", "run": [desktop.session.folder.path("record"), "{id} {action}"],
    ]
    return try post(words.merging(["style": "alert", "actions": [action]]) { $1 })
  }

  private mutating func post(_ words: [String: Any]) throws -> String {
    let id = words["id"] as? String ?? next()
    let request = words.merging(["id": id, "title": id, "app": Self.app(of: id)]) { $1 }
    let text = String(decoding: try JSONSerialization.data(withJSONObject: request), as: UTF8.self)
    let sent = try desktop.session.suzu(["notify", "--file", "-"], input: text)
    try demand(sent.status == 0, "suzu notify: \(sent.errors)")
    posted += 1
    return id
  }

  /// Presses all of them; of overlapping ones the pointer hits the topmost.
  private mutating func press(_ ids: [String]) throws {
    var left = Set(ids)
    while let any = left.first {
      _ = try desktop.popup(any)
      // Wait for other popups to expire: the pointer could hit them.
      try awaitOnly(left)
      let done = try pressTopmost(of: left)
      left.subtract(done)
      for id in done { try desktop.awaitAbsence(of: id) }
    }
    presses += ids.count
  }

  /// Presses the topmost notification until a program has run; returns the ids of those whose programs have.
  ///
  /// A server may ignore a press at the moment its windows move: then all of them stay, and a user presses again. A
  /// press that it took closes the notification, and its program must run. If the server was only slow, the second press
  /// hits another one.
  private func pressTopmost(of ids: Set<String>) throws -> Set<String> {
    let end = ContinuousClock.now + .seconds(30)
    while let any = ids.first {
      try desktop.server.open(try desktop.popup(any), on: desktop)
      if let done = try? awaitDeed(of: ids, within: 5) { return done }
      let shown = try desktop.server.popups(on: desktop).map(\.title)
      guard ids.isSubset(of: shown) else { return try awaitDeed(of: ids, within: 20) }
      try demand(ContinuousClock.now < end, "\(ids) stay, however often they are pressed")
    }
    return []
  }

  private func awaitDeed(of ids: Set<String>, within seconds: Double) throws -> Set<String> {
    try desktop.wait(for: "deed of \(ids)", within: seconds) {
      let deeds = Set(desktop.deeds)
      let done = ids.filter { deeds.contains("\($0) default") }
      return done.isEmpty ? nil : done
    }
  }

  private func awaitOnly(_ ids: Set<String>) throws {
    try desktop.wait(for: "end of all but \(ids)") {
      try desktop.server.popups(on: desktop).allSatisfy { ids.contains($0.title) } ? () : nil
    }
  }

  private func check() throws {
    let deeds = desktop.deeds
    try demand(deeds.count == presses, "\(presses) presses, and \(deeds.count) deeds: \(deeds.suffix(5))")
  }

  private func center() throws -> Int32 {
    guard let process = try desktop.session.process(of: "dev.suzu.Center") else { throw TestFailure("no center") }
    return process
  }
}

/// A deterministic random generator.
private struct SplitMix: RandomNumberGenerator {
  var state: UInt64

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var bits = state
    bits = (bits ^ (bits >> 30)) &* 0xBF58_476D_1CE4_E5B9
    bits = (bits ^ (bits >> 27)) &* 0x94D0_49BB_1331_11EB
    return bits ^ (bits >> 31)
  }
}
