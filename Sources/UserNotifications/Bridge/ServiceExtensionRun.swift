// SPDX-License-Identifier: Apache-2.0
internal import Foundation
internal import RunningApp

/// One extension of the program, and the request whose content it changes.
///
/// Its methods are called on queues of their own, since it may block.
final class ServiceExtensionRun: @unchecked Sendable {
  // @unchecked: the extension is called as Apple's system calls it, on threads that it does not choose. All else is
  // behind the lock, or constant.

  static let usualLimit: Duration = .seconds(30)

  private let program: UNNotificationServiceExtension
  private let request: UNNotificationRequest
  private let whenDone: Guarded<(() -> Void)?>
  /// Handed over under the lock: ThreadSanitizer does not see that a continuation carries a value between threads.
  private let changed = Guarded<UNNotificationContent?>(nil)

  /// The request with the content that the program's extension gives it.
  ///
  /// It is the original one if the extension hands back nothing in time, or a content without any text.
  static func request(
    _ request: UNNotificationRequest, changedBy make: @Sendable () -> UNNotificationServiceExtension,
    within limit: Duration = usualLimit
  ) async -> UNNotificationRequest {
    let program = make()
    let run: ServiceExtensionRun = await withCheckedContinuation { continuation in
      let run = ServiceExtensionRun(program, request)
      run.begin(limit) { continuation.resume(returning: run) }
    }
    let content = run.changed.withLock { $0 } ?? request.content
    let texts = [content.title, content.subtitle, content.body]
    if texts.allSatisfy(\.isEmpty) { return request }
    return UNNotificationRequest(identifier: request.identifier, content: content, trigger: request.trigger)
  }

  private init(_ program: UNNotificationServiceExtension, _ request: UNNotificationRequest) {
    self.program = program
    self.request = request
    whenDone = Guarded(nil)
  }

  private func begin(_ limit: Duration, _ done: @escaping () -> Void) {
    whenDone.withLock { $0 = done }
    let seconds = Double(limit.components.seconds) + Double(limit.components.attoseconds) / 1e18
    DispatchQueue.global(qos: .userInitiated).async { [self] in
      // The time begins with the call.
      DispatchQueue.global(qos: .userInitiated).asyncAfter(deadline: .now() + seconds) { self.expire() }
      program.didReceive(request) { self.finish($0) }
    }
  }

  private var isDone: Bool { whenDone.withLock { $0 == nil } }

  private func expire() {
    if isDone { return }
    program.serviceExtensionTimeWillExpire()
    if !isDone {
      warn(
        "the service extension did not hand back the content of '\(request.identifier)' in time; the original is shown")
      finish(request.content)
    }
  }

  /// The first call counts.
  private func finish(_ content: UNNotificationContent) {
    // A mutable one stays the extension's.
    let copy = UNNotificationContent(content.values)
    guard let done = whenDone.withLock({ $0.take() }) else { return }
    changed.withLock { $0 = copy }
    done()
  }
}

extension UNNotificationRequest {
  /// Whether it is a message of a server whose content may be changed, to be shown now: `aps.mutable-content` is 1.
  var isMutable: Bool {
    guard trigger == nil || trigger is UNPushNotificationTrigger,
      let payload = content.userInfo["aps"] as? [AnyHashable: Any]
    else { return false }
    switch payload["mutable-content"] {
    case let number as NSNumber: return number.intValue == 1
    case let number as Int: return number == 1
    default: return false
    }
  }
}
