// SPDX-License-Identifier: Apache-2.0

/// What happens to a simulated desktop, all of it decided by a seed.
struct Script {
  let seed: UInt64
  /// When it begins, in milliseconds since 1970.
  let start: Int64
  /// How long it lasts, in milliseconds.
  let length: Int64
  /// The notification server of the desktop.
  var server = ServerManner.plain
  var steps: [Step]

  /// One thing that happens, that many milliseconds after the beginning.
  struct Step {
    let number: Int
    let at: Int64
    let event: Event
  }

  enum Event {
    case notify(RequestSpec)
    case cancel(String)
    /// The wall clock is set by so many milliseconds.
    case setClock(Int64)
    /// The user travels.
    case move(String)
    /// An update of `tzdata` has these rules for a zone, in the form of POSIX; nil for those that it had before.
    case newRules(String, String?)
    case suspend(Int64)
    /// The app that handles responses is started, and ends after that time.
    case startApp(for: Int64)
    /// The notification server ends, and another one starts after that time.
    case restartServer(Int64)
    /// The server answers after that time, for so long.
    case slowServer(answer: Int64, for: Int64)
    /// The session bus ends, and with it all programs but the center; another one starts after that time.
    case restartBus(Int64)
    /// The bus takes up to `delay` to pass a message on, for so long.
    case slowBus(delay: Int64, for: Int64)
    /// The bus loses the next so many messages of a kind between the center and the server.
    case loseMessages(SimulatedWire.Kind, Int)
    /// The server does nothing for that time, and then does all that it was asked for.
    case hangServer(for: Int64)
    /// The server refuses the next so many notifications.
    case refuse(Int)
    /// Something else fills the disk, and leaves it after that time.
    case fillDisk(for: Int64)
    /// The disk fails at so many writes or syncs.
    case failDisk(Int)
    /// The center, or the machine, ends at that moment and starts again after that time.
    case end(Moment, isPowerLoss: Bool, off: Int64)
  }

  /// When something ends.
  enum Moment: CustomStringConvertible {
    case now
    /// Right before the k-th sync of the database from now on.
    case beforeSync(Int)
    case afterSync(Int)
    /// When the k-th page from now on is moved from the log of the database into its file.
    case duringMove(Int)
    /// When the k-th piece of the log from now on has been written.
    case atWrite(Int)
    /// After the k-th turn of the loop from now on in which there is work: wherever a task waits.
    case inTurn(Int)
    /// When the server has got the k-th notification from now on, before it answers.
    case atPost(Int)
    /// When the k-th notification from now on has been on the screen for a second: that is on the disk by then.
    case whileShown(Int)
    /// When the k-th action from now on has begun: before its outcome is recorded.
    case atLaunch(Int)

    var description: String {
      switch self {
      case .now: "now"
      case .beforeSync(let count): "before sync \(count)"
      case .afterSync(let count): "after sync \(count)"
      case .duringMove(let count): "during move \(count)"
      case .atWrite(let count): "at write \(count)"
      case .inTurn(let count): "in turn \(count)"
      case .atPost(let count): "at notification \(count)"
      case .whileShown(let count): "while notification \(count) is shown"
      case .atLaunch(let count): "at action \(count)"
      }
    }
  }
}

extension Script.Step: CustomStringConvertible {
  var description: String { "\(number) at \(Duration.milliseconds(at)): \(event)" }
}

extension Script.Event: CustomStringConvertible {
  var description: String {
    switch self {
    case .notify(let spec):
      "notify \(spec.id) \(spec.when) zone \(spec.zone ?? "-") missed \(spec.missed) grace \(spec.grace ?? -1)"
        + " \(spec.isAlert ? "alert" : "banner") launch \(spec.hasLaunch ? spec.isForeground ? "in front" : "yes" : "no") snooze \(spec.snooze ?? 0)"
        + " expires \(spec.expires ?? 0)\(spec.isForApp ? " for its app" : "")"
    case .cancel(let id): "cancel \(id)"
    case .setClock(let change): "set clock by \(change) ms"
    case .move(let zone): "move to \(zone)"
    case .newRules(let zone, let rules): "new rules of \(zone): \(rules ?? "the earlier ones")"
    case .suspend(let time): "suspended for \(time) ms"
    case .startApp(let time): "app runs for \(time) ms"
    case .restartServer(let pause): "server gone for \(pause) ms"
    case .slowServer(let answer, let time): "server answers after \(answer) ms, for \(time) ms"
    case .restartBus(let time): "bus gone for \(time) ms"
    case .slowBus(let delay, let time): "bus passes messages on within \(delay) ms, for \(time) ms"
    case .loseMessages(let kind, let count): "bus loses \(count) messages of the kind \(kind.rawValue)"
    case .hangServer(let time): "server hangs for \(time) ms"
    case .refuse(let count): "server refuses \(count)"
    case .fillDisk(let time): "disk full for \(time) ms"
    case .failDisk(let count): "disk fails \(count)"
    case .end(let moment, let isPowerLoss, let off): "\(isPowerLoss ? "power lost" : "killed") \(moment), off \(off) ms"
    }
  }
}
