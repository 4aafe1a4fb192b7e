// SPDX-License-Identifier: Apache-2.0
internal import Foundation
internal import NotificationModel
internal import RunningApp
internal import Synchronization
internal import UserNotifications

/// Hands responses to an application delegate in the older form, unless the app has a delegate of the newer one.
@MainActor final class OldNotifications: NSObject {
  private unowned let application: UIApplication
  private var hasLaunched = false
  /// Calls that wait for the app to launch.
  private var waiting: [CheckedContinuation<Void, Never>] = []
  /// The first response, for the launch options.
  private var first: UILocalNotification?
  private var whenFirst: CheckedContinuation<Void, Never>?
  private var isLaunchedByFirst = false

  init(_ application: UIApplication) {
    self.application = application
    super.init()
  }

  func begin() {
    // Before the delegate, which lets the responses come.
    UNUserNotificationCenter.current().handlePushes { [weak self] payload in await self?.handle(push: payload) }
    if UNUserNotificationCenter.current().delegate == nil { UNUserNotificationCenter.current().delegate = self }
  }

  // MARK: Launching

  /// The notification whose click has started the program; nil if something else has. The bus says that it has started
  /// the program, and the response comes next.
  func launchNotification() async -> UILocalNotification? {
    guard ProcessInfo.processInfo.environment["DBUS_STARTER_ADDRESS"] != nil else { return nil }
    if first == nil {
      await withCheckedContinuation { continuation in
        whenFirst = continuation
        // The desktop may have started it without a response.
        Task { await RunningApp.current.whenActivated { [weak self] in await self?.endWait() } }
        Task {
          try? await Task.sleep(for: .seconds(2))
          endWait()
        }
      }
    }
    isLaunchedByFirst = first != nil
    return first
  }

  private func endWait() {
    whenFirst?.resume()
    whenFirst = nil
  }

  /// The app has started: responses are handed on.
  func launch() {
    hasLaunched = true
    for continuation in waiting { continuation.resume() }
    waiting = []
  }

  /// Waits until the app has launched; returns whether its launch options had the click.
  private func waitForLaunch(_ notification: UILocalNotification, _ action: String) async -> Bool {
    let isOption = !hasLaunched && first == nil && action != UNNotificationDismissActionIdentifier
    if isOption { first = notification }
    endWait()
    if !hasLaunched { await withCheckedContinuation { waiting.append($0) } }
    return isOption && isLaunchedByFirst && action == UNNotificationDefaultActionIdentifier
  }

  // MARK: Handing on

  fileprivate func handle(_ response: UNNotificationResponse) async {
    let notification = UILocalNotification(response.notification.request)
    let hadClick = await waitForLaunch(notification, response.actionIdentifier)
    // A delegate of the newer form, which the app has set while it launched, gets all responses.
    let center = UNUserNotificationCenter.current()
    if let newer = center.delegate, newer !== self { return await center.handOn(response) }
    guard !hadClick, let delegate = application.delegate else { return }
    if response.notification.request.trigger is UNPushNotificationTrigger { return await handle(pushed: response) }
    switch response.actionIdentifier {
    case UNNotificationDefaultActionIdentifier: delegate.application(application, didReceive: notification)
    // The older form knows no dismissals.
    case UNNotificationDismissActionIdentifier: break
    default:
      var info: [AnyHashable: Any] = [:]
      if let text = (response as? UNTextInputNotificationResponse)?.userText {
        info[UIUserNotificationActionResponseTypedTextKey] = text
      }
      await delegate.application(
        application, handleActionWithIdentifier: response.actionIdentifier, for: notification, withResponseInfo: info)
      if notification.isUnhandled.load(ordering: .relaxed) {
        await delegate.application(
          application, handleActionWithIdentifier: response.actionIdentifier, for: notification)
      }
      if notification.isUnanswered.load(ordering: .relaxed) { response.isUnanswered.store(true, ordering: .relaxed) }
    }
  }

  // MARK: Pushes

  /// Hands on a push that is not shown; returns why the app could not handle it.
  private func handle(push payload: [String: PlainValue]) async -> String? {
    endWait()
    if !hasLaunched { await withCheckedContinuation { waiting.append($0) } }
    return await tell(ofPush: payload)
  }

  private func tell(ofPush payload: [String: PlainValue]) async -> String? {
    let result: UIBackgroundFetchResult? = await Answer.of(
      "application(_:didReceiveRemoteNotification:fetchCompletionHandler:)"
    ) { [application] answer in
      application.delegate?.application(
        application, didReceiveRemoteNotification: UNNotificationContent.userInfo(ofPush: payload)
      ) { answer.give($0) }
    }
    switch result {
    case .newData?, .noData?: return nil
    case .failed?: return "the app could not get its data"
    case nil: return "the app has released the completion handler without calling it"
    }
  }

  /// The user clicked on a notification that came as a push, or chose an action of it.
  private func handle(pushed response: UNNotificationResponse) async {
    let userInfo = OnMainThread(response.notification.request.content.userInfo)
    let isAnswered: Void?
    switch response.actionIdentifier {
    case UNNotificationDismissActionIdentifier: return
    case UNNotificationDefaultActionIdentifier:
      isAnswered = await Answer.of("application(_:didReceiveRemoteNotification:fetchCompletionHandler:)") {
        [application] answer in
        application.delegate?.application(application, didReceiveRemoteNotification: userInfo.value) { _ in
          answer.give(())
        }
      }
    default:
      let (action, text) = (response.actionIdentifier, (response as? UNTextInputNotificationResponse)?.userText)
      isAnswered = await Answer.of("application(_:handleActionWithIdentifier:forRemoteNotification:…)") {
        [application] answer in
        application.delegate?.application(
          application, handleActionWithIdentifier: action, forRemoteNotification: userInfo.value,
          withResponseInfo: text.map { [UIUserNotificationActionResponseTypedTextKey: $0] } ?? [:]
        ) { answer.give(()) }
      }
    }
    if isAnswered == nil { response.isUnanswered.store(true, ordering: .relaxed) }
  }
}

extension OldNotifications: UNUserNotificationCenterDelegate {
  nonisolated func userNotificationCenter(
    _ center: UNUserNotificationCenter, didReceive response: UNNotificationResponse
  ) async {
    await handle(response)
  }
}
