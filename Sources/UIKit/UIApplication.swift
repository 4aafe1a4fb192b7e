// SPDX-License-Identifier: Apache-2.0
public import Foundation
internal import RunningApp
internal import UserNotifications

/// Whether the user looks at the app.
#if hasAttribute(nonexhaustive)
  @nonexhaustive
#endif
public enum UIApplicationState: Int, Sendable {
  /// It is in front.
  case active
  /// It comes to the front or leaves it.
  case inactive
  /// It is behind.
  case background
}

/// The app: in the older form, the way to its notifications.
@preconcurrency @MainActor open class UIApplication: UIResponder {
  /// The key of a launch option.
  public struct LaunchOptionsKey: RawRepresentable, Hashable, Sendable {
    /// The name.
    public let rawValue: String
    /// From a name.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// The notification whose click has started the app, a ``UILocalNotification``.
    public static let localNotification = LaunchOptionsKey(rawValue: "UIApplicationLaunchOptionsLocalNotificationKey")
    /// Never there: no push service starts an app.
    public static let remoteNotification = LaunchOptionsKey(rawValue: "UIApplicationLaunchOptionsRemoteNotificationKey")
    /// Never there: see ``UIApplicationDelegate/application(_:open:options:)``.
    public static let url = LaunchOptionsKey(rawValue: "UIApplicationLaunchOptionsURLKey")
    /// Never there: a region shows a notification, and does not start the app.
    public static let location = LaunchOptionsKey(rawValue: "UIApplicationLaunchOptionsLocationKey")
  }

  /// The key of an option of a URL that is opened.
  public struct OpenURLOptionsKey: RawRepresentable, Hashable, Sendable {
    /// The name.
    public let rawValue: String
    /// From a name.
    public init(rawValue: String) { self.rawValue = rawValue }
  }

  /// The key of an option for opening a URL.
  public struct OpenExternalURLOptionsKey: RawRepresentable, Hashable, Sendable {
    /// The name.
    public let rawValue: String
    /// From a name.
    public init(rawValue: String) { self.rawValue = rawValue }
  }

  /// Whether the user looks at the app, by its older name.
  public typealias State = UIApplicationState

  /// The app.
  public class var shared: UIApplication { only }
  private static let only = UIApplication()

  private var notifications: OldNotifications?
  private weak var given: (any UIApplicationDelegate)?

  /// The object that receives the events of the app and its notifications; it is not retained.
  open var delegate: (any UIApplicationDelegate)? {
    get { given }
    set {
      given = newValue
      guard newValue != nil else { return }
      let notifications = notifications ?? OldNotifications(self)
      self.notifications = notifications
      notifications.begin()
    }
  }

  /// Always active: windows are not known.
  open var applicationState: UIApplicationState { .active }

  /// Waits for the notification whose click has started the program.
  func launchNotification() async -> UILocalNotification? { await notifications?.launchNotification() }
  /// The app has started: responses may be handed on.
  func hasLaunched() { notifications?.launch() }

  // MARK: Settings

  /// Asks the user, if the center must, and registers the categories; the delegate is told the answer.
  open func registerUserNotificationSettings(_ notificationSettings: UIUserNotificationSettings) {
    let center = UNUserNotificationCenter.current()
    if let categories = notificationSettings.categories {
      center.setNotificationCategories(Set(categories.compactMap(\.category)))
    }
    registered = notificationSettings
    Task {
      let isAllowed = (try? await center.requestAuthorization(options: notificationSettings.types.options)) ?? false
      let types = isAllowed ? await center.notificationSettings().types : []
      // Behind the registration: a push that comes because of what the delegate does now has its buttons.
      if notificationSettings.categories != nil { await center.notificationCategories() }
      let allowed = UIUserNotificationSettings(
        types: types.intersection(notificationSettings.types), categories: notificationSettings.categories)
      delegate?.application(self, didRegister: allowed)
    }
  }
  private var registered: UIUserNotificationSettings?

  /// What the app may do now; waits for the center, at most 5 seconds.
  open var currentUserNotificationSettings: UIUserNotificationSettings? {
    let types = Blocking.value { await UNUserNotificationCenter.current().notificationSettings().types }
    return UIUserNotificationSettings(types: types ?? [], categories: registered?.categories)
  }

  // MARK: Notifications

  /// Adds a notification for its date.
  open func scheduleLocalNotification(_ notification: UILocalNotification) { add(notification) }

  /// Shows a notification now.
  open func presentLocalNotificationNow(_ notification: UILocalNotification) { add(notification, isNow: true) }

  private func add(_ notification: UILocalNotification, isNow: Bool = false) {
    // One that is scheduled again is another notification, as at Apple.
    let scheduled = UILocalNotification(notification.values)
    scheduled.guarded.withLock { $0.id = nil }
    do throws(UNError) {
      // Without a handler, an error is told on standard error.
      UNUserNotificationCenter.current().add(try scheduled.request(isNow: isNow))
    } catch {
      warn("the notification was not scheduled: \(error._nsError.localizedDescription)")
    }
  }

  /// Removes the pending notification that equals this one, and it from the screen.
  open func cancelLocalNotification(_ notification: UILocalNotification) {
    let center = UNUserNotificationCenter.current()
    if let id = notification.values.id {
      center.removePendingNotificationRequests(withIdentifiers: [id])
      center.removeDeliveredNotifications(withIdentifiers: [id])
      return
    }
    for scheduled in scheduledLocalNotifications ?? [] where scheduled == notification {
      if let id = scheduled.values.id { center.removePendingNotificationRequests(withIdentifiers: [id]) }
      return
    }
  }

  /// Removes all notifications of the app, pending and on the screen.
  open func cancelAllLocalNotifications() {
    UNUserNotificationCenter.current().removeAllPendingNotificationRequests()
    UNUserNotificationCenter.current().removeAllDeliveredNotifications()
  }

  /// The pending notifications; waits for the center, at most 5 seconds. Setting it replaces them all.
  open var scheduledLocalNotifications: [UILocalNotification]? {
    get {
      Blocking.value { await UNUserNotificationCenter.current().pendingNotificationRequests() }?
        .map { UILocalNotification($0) }
    }
    set {
      UNUserNotificationCenter.current().removeAllPendingNotificationRequests()
      for notification in newValue ?? [] { scheduleLocalNotification(notification) }
    }
  }

  /// The number on the app's launcher, which stays after the program has ended; 0 removes it. Reading waits for the
  /// center, at most 5 seconds.
  open var applicationIconBadgeNumber: Int {
    get { Blocking.value { await UNUserNotificationCenter.current().badgeCount() } ?? 0 }
    set { UNUserNotificationCenter.current().setBadgeCount(max(0, newValue)) }
  }

  // MARK: Remote notifications

  /// Tells the delegate that there is no push service.
  open func registerForRemoteNotifications() {
    let error = CocoaError(
      .featureUnsupported, userInfo: [NSLocalizedDescriptionKey: "there is no service for remote notifications"])
    Task { delegate?.application(self, didFailToRegisterForRemoteNotificationsWithError: error) }
  }
  /// Does nothing.
  open func unregisterForRemoteNotifications() {}
  /// False.
  open var isRegisteredForRemoteNotifications: Bool { false }

  // MARK: URLs

  /// Opens a URL with the program of the desktop for it.
  open func open(
    _ url: URL, options: [OpenExternalURLOptionsKey: Any] = [:],
    completionHandler completion: (@MainActor @Sendable (Bool) -> Void)? = nil
  ) {
    let isStarted = URLOpener.open(url) { isOpen in Task { @MainActor in completion?(isOpen) } }
    if !isStarted { completion?(false) }
  }
  /// Opens a URL with the program of the desktop for it, in the older form; returns whether that was started.
  @discardableResult
  open func openURL(_ url: URL) -> Bool { URLOpener.open(url) { _ in } }
  /// Opens a URL with the program of the desktop for it; returns whether that could open it.
  @discardableResult
  open func open(_ url: URL, options: [OpenExternalURLOptionsKey: Any] = [:]) async -> Bool {
    await withCheckedContinuation { continuation in
      open(url, options: options) { continuation.resume(returning: $0) }
    }
  }

  /// Whether there is a program that opens URLs; whether it knows the scheme is not known.
  open func canOpenURL(_ url: URL) -> Bool { URLOpener.mayOpen(url) && URLOpener.program != nil }
}
