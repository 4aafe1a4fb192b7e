// SPDX-License-Identifier: Apache-2.0
internal import CenterClient
internal import EventLoop
internal import Glibc
internal import NotificationModel

/// The notifications about one command: its progress, in place, and its end. Whatever the center does, the command goes
/// on; the first problem is a warning.
///
/// Confined to the loop's thread.
final class RunCenter {
  let id: String
  private let app = NotificationRequest.defaultApp
  private let loop: EventLoop
  /// The progress notification, without the progress.
  private let request: [String: PlainValue]
  private var center: Center?
  private var hasWarned = false
  private var shown: Int?
  private var wanted: Int?
  private var isPosting = false
  private var nextPost: Duration = .zero
  /// Whether the user has dismissed the progress: it does not come back.
  private var isUnwanted = false

  /// At most one in this time: servers limit updates, and each one costs.
  private static let interval: Duration = .seconds(1)
  /// How long the end of a command may take to be notified: the shell waits meanwhile.
  private static let limit: Duration = .seconds(5)

  init(id: String, progress request: [String: PlainValue], on loop: EventLoop) {
    self.id = id
    self.request = request
    self.loop = loop
  }

  private func connected() async throws -> Center {
    if let center { return center }
    let center = try await Center.connect(on: loop)
    self.center = center
    return center
  }

  private func warn(_ error: any Error) {
    if hasWarned { return }
    hasWarned = true
    let message = (error as? SuzuError)?.message ?? (error as? CommandError)?.message ?? "\(error)"
    Console.warn("run", "no notification: " + message)
  }

  // MARK: Progress

  /// Shows a progress in percent, now or once the last one is old enough.
  func show(_ percent: Int?) {
    guard let percent, !isUnwanted, percent != wanted else { return }
    wanted = percent
    if isPosting { return }
    isPosting = true
    _ = loop.schedule(at: max(nextPost, EventLoop.Clock.monotonic.now), on: .monotonic) { [weak self] in
      guard let self else { return }
      self.loop.start { await self.post() }
    }
  }

  private func post() async {
    guard let percent = wanted, !hasEnded else { return }
    nextPost = EventLoop.Clock.monotonic.now + Self.interval
    do {
      let center = try await connected()
      if shown == nil { try await watch(center) }
      if isUnwanted || hasEnded { return }
      var words = request
      words["progress"] = .integer(Int64(percent))
      words["body"] = .text("\(percent) %")
      words["id"] = .text(id)
      shown = percent
      try await center.notify(words)
    } catch {
      isUnwanted = true
      warn(error)
    }
    isPosting = false
    let latest = wanted
    wanted = percent
    if latest != percent { show(latest) }
  }

  private func watch(_ center: Center) async throws {
    let events = try await center.events()
    loop.startLater { [weak self] in
      for await case .closed(let app, let id, .dismissed) in events {
        guard let self else { return }
        if id.isIdentical(to: self.id), app.isIdentical(to: self.app) { self.isUnwanted = true }
      }
    }
  }

  // MARK: The end

  private var hasEnded = false

  /// Shows how the command ended; without a request, only removes its progress.
  func finish(_ request: [String: PlainValue]?) async {
    hasEnded = true
    if request == nil, shown == nil { return }
    let (ends, continuation) = AsyncStream<(any Error)?>.makeStream()
    let work = loop.startLater { [self] in
      do {
        try await send(request)
        continuation.yield(nil)
      } catch {
        continuation.yield(error)
      }
    }
    let deadline = loop.schedule(after: Self.limit) {
      continuation.yield(CommandError.unavailable("the center does not answer"))
    }
    for await end in ends {
      if let end { warn(end) }
      break
    }
    deadline.cancel()
    work.cancel()
  }

  private func send(_ request: [String: PlainValue]?) async throws {
    let center = try await connected()
    guard var request else {
      _ = try await center.dismiss(app: app, ids: [id])
      return
    }
    request["id"] = .text(id)
    try await center.notify(request)
  }
}
