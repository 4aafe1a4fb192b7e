// SPDX-License-Identifier: Apache-2.0
public import FoundationEssentials
public import NotificationModel
internal import Synchronization

/// What the user chose in a notification of an app, for the app to act on.
///
/// Call ``complete()`` once the app has done what the user wants, or ``fail(_:)``, within 30 seconds. The first call
/// counts. A response that is released before is reported as failed, and so is one that takes longer.
public final class AppResponse: Sendable {
  /// The user's choice.
  public let response: Response
  /// The token that lets the app raise its window; nil if the desktop gave none.
  public var activationToken: String? { response.activationToken }

  /// Reports the end to the center: nil if the app did what the user wants, else why not.
  package typealias Report = @Sendable (_ problem: String?) async -> Void
  private let report: Mutex<Report?>
  /// Learns of reports after the first one, which have no effect; for tests.
  private let whenReportedAgain: @Sendable (_ problem: String?) -> Void

  package init(
    _ response: Response, again whenReportedAgain: @escaping @Sendable (_ problem: String?) -> Void = { _ in },
    _ report: @escaping Report
  ) {
    self.response = response
    self.whenReportedAgain = whenReportedAgain
    self.report = Mutex(report)
  }

  deinit {
    guard let report = report.withLock({ $0.take() }) else { return }
    _ = Task { await report("the app did not say that it was done") }
  }

  /// Reports that the app did what the user wants. The center knows it when this returns, and the program may end.
  public func complete() async { await end(nil) }

  /// Reports that the app could not do what the user wants; the history shows why.
  public func fail(_ why: String) async { await end(why) }

  private func end(_ problem: String?) async {
    guard let report = report.withLock({ $0.take() }) else { return whenReportedAgain(problem) }
    await report(problem)
  }
}

extension AppResponse {
  /// The id of the request.
  public var id: RequestID { RequestID(trusted: response.id) }
  /// The id of the action; ``Action/defaultID`` for a click on the notification itself, ``Action/dismissID`` for its
  /// dismissal.
  public var action: String { response.action }
  /// The text that the user typed.
  public var reply: String? { response.reply }
  /// The date on which the request was due; nil for one without a time.
  public var dueDate: Date? { response.dueDate }
  /// The request's `userInfo`.
  public var userInfo: [String: PlainValue] { response.userInfo }
  /// Whether the user clicked on the notification itself.
  public var isClickOnItself: Bool { action == Action.defaultID }
  /// Whether the user dismissed the notification; only categories with `customDismiss` tell.
  public var isDismissal: Bool { action == Action.dismissID }
}
