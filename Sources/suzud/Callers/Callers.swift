// SPDX-License-Identifier: Apache-2.0
internal import EventLoop

/// Who calls, and what that allows.
final class Callers {
  private let loop: EventLoop
  private let identification: @Sendable (Caller) async -> Rights?
  /// Asks the bus for everyone on it; nil: it did not say.
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

  /// Asks the bus and the kernel once for each caller.
  func rights(of caller: Caller) async -> Rights {
    while true {
      if let known = known[caller] { return known }
      if known.begin(caller) { return await identify(caller) }
      let found: Rights? = await loop.withContinuation { continuation in
        // The way here may have taken a turn, in which the identification ended.
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

  /// A caller left the bus.
  func forget(_ caller: Caller) { known.forget(caller) }

  /// Another bus gives the same names to others.
  func forgetAll() { known.forgetAll() }
}
