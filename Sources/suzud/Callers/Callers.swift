// SPDX-License-Identifier: Apache-2.0
internal import EventLoop

/// Identifies callers, and returns their rights.
final class Callers {
  private let loop: EventLoop
  private let identification: @Sendable (Caller) async -> Rights?
  /// Asks the bus for the names on it; returns nil if it does not answer.
  private let present: () async -> Set<Caller>?
  private(set) var known = KnownCallers()

  init(
    on loop: EventLoop, identification: @escaping @Sendable (Caller) async -> Rights?,
    present: @escaping () async -> Set<Caller>?
  ) {
    self.loop = loop
    self.identification = identification
    self.present = present
  }

  /// The caller's rights. The bus and the kernel are asked once for each caller.
  func rights(of caller: Caller) async -> Rights {
    while true {
      if let known = known[caller] { return known }
      if known.begin(caller) { return await identify(caller) }
      let found: Rights? = await loop.withContinuation { continuation in
        // The identification may have ended before this task ran.
        let isWaiting = known.wait(for: caller) { continuation.resume(returning: $0) }
        if !isWaiting { continuation.resume(returning: nil) }
      }
      if let found { return found }
    }
  }

  private func identify(_ caller: Caller) async -> Rights {
    let generation = known.generation
    let found = await identification(caller)
    let rights = known.end(caller, found, began: generation)
    if known.mustSweep() { loop.startLater { await self.forgetLeavers() } }
    return rights
  }

  private func forgetLeavers() async {
    let generation = known.generation
    guard let present = await present() else { return }
    known.keep(present, began: generation)
  }

  /// Forgets a caller that left the bus.
  func forget(_ caller: Caller) { known.forget(caller) }

  /// Forgets all callers: another bus gives the same names to other programs.
  func forgetAll() { known.forgetAll() }
}
