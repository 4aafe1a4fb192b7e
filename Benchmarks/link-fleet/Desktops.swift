// SPDX-License-Identifier: Apache-2.0
internal import EventLoop
internal import Glibc
internal import Links
internal import NotificationModel
internal import RunningLinks

/// Some desktops of a fleet in one process: for each of them a link of `suzu-link`, and a simulated center.
///
/// Confined to the loop's thread.
final class Desktops {
  private let numbers: Range<Int>
  private let folder: String
  private let areForgetful: Bool
  private let folders: LinkFolders
  private let transfers: Transfers
  private let loop: EventLoop
  private var links: [RunningLink] = []

  init(_ numbers: Range<Int>, in folder: String, areForgetful: Bool, on loop: EventLoop) throws {
    guard let folders = LinkFolders(environment: { ["HOME": folder][$0] }) else { throw FleetError("no folders") }
    (self.numbers, self.folder, self.folders, self.loop) = (numbers, folder, folders, loop)
    self.areForgetful = areForgetful
    transfers = try Transfers(on: loop)
  }

  func start() {
    do {
      try loop.onSignal(SIGTERM) { [unowned self] in stop() }
      for number in numbers {
        let center = SimulatedCenter(number, in: folder, isForgetful: areForgetful)
        links.append(
          RunningLink(
            try LinkName("d\(number)"), in: folders, to: center, from: nil, transfers, nil, timing: LinkTiming(),
            on: loop))
      }
    } catch {
      say("error \(error)")
      loop.stop()
    }
  }

  private func stop() {
    for link in links { link.stop() }
    loop.stop()
  }
}

/// The center of one desktop: it stores what it is told before it answers, shows it unless it knows the id, and prints
/// that with the time.
///
/// Confined to the loop's thread.
final class SimulatedCenter: PushReceiver {
  private let number: Int
  private let store: String
  private let isForgetful: Bool
  private var known: Set<String> = []

  init(_ number: Int, in folder: String, isForgetful: Bool) {
    (self.number, self.isForgetful) = (number, isForgetful)
    store = "\(folder)/d\(number).store"
  }

  func push(_ push: LinkPush) async -> PushAnswer {
    guard isForgetful || known.insert(push.id).inserted else {
      say("again \(number)")
      return .taken
    }
    // The text begins with the number of the payload.
    guard case .dictionary(let words)? = push.payload["aps"], case .dictionary(let alert)? = words["alert"],
      case .text(let text)? = alert["body"], let payload = text.split(separator: " ").first
    else { return .refused("it has no text") }
    guard keep("\(push.id) \(payload)\n") else { return .unavailable("it cannot be stored") }
    say("shown \(number) \(payload) \(EventLoop.Clock.monotonic.now.nanoseconds)")
    return .taken
  }

  func answered(_ id: String, of app: String, by name: String?) async -> PushAnswer { .taken }

  func withdraw(_ ids: [String], of app: String) async -> PushAnswer { .taken }

  /// Not a descriptor that stays open: a thousand desktops need many already. Not synced: a thousand share one disk.
  private func keep(_ line: String) -> Bool {
    let file = open(store, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0o600)
    guard file >= 0 else { return false }
    defer { close(file) }
    return line.withCString { write(file, $0, strlen($0)) } == line.utf8.count
  }
}

extension Duration {
  /// Rounded down; the times of these trials are far below 292 years.
  var nanoseconds: Int64 { components.seconds * 1_000_000_000 + components.attoseconds / 1_000_000_000 }
  var milliseconds: Double { self / .milliseconds(1) }
}
