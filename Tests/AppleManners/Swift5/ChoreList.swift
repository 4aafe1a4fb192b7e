// SPDX-License-Identifier: Apache-2.0
import Foundation
import UserNotifications

#if canImport(UIKit) && os(iOS)
  import UIKit
#endif

// The manner of an app with view models and delegates from before Combine: subclasses of NSObject, boxes that are
// observed, the center behind a protocol with a mock, dispatch groups and operations, constants in enumerations without
// cases, and NotificationCenter between the parts. Swift 5.

public protocol NotificationCentering: AnyObject {
  func add(_ request: UNNotificationRequest, withCompletionHandler completionHandler: ((Error?) -> Void)?)
  func requestAuthorization(
    options: UNAuthorizationOptions, completionHandler: @escaping (Bool, Error?) -> Void)
  func getPendingNotificationRequests(completionHandler: @escaping ([UNNotificationRequest]) -> Void)
  func removePendingNotificationRequests(withIdentifiers identifiers: [String])
  func removeAllPendingNotificationRequests()
  func setNotificationCategories(_ categories: Set<UNNotificationCategory>)
  var delegate: UNUserNotificationCenterDelegate? { get set }
}

extension UNUserNotificationCenter: NotificationCentering {}

public final class NotificationCenterMock: NSObject, NotificationCentering {
  public weak var delegate: UNUserNotificationCenterDelegate?
  public private(set) var addedRequests = [UNNotificationRequest]()
  public private(set) var removedIdentifiers = [String]()
  public private(set) var categories = Set<UNNotificationCategory>()
  public var grantedStub = true
  public var errorStub: Error? = nil

  public func add(_ request: UNNotificationRequest, withCompletionHandler completionHandler: ((Error?) -> Void)? = nil)
  {
    addedRequests.append(request)
    completionHandler?(errorStub)
  }

  public func requestAuthorization(
    options: UNAuthorizationOptions = [], completionHandler: @escaping (Bool, Error?) -> Void
  ) { completionHandler(grantedStub, errorStub) }

  public func getPendingNotificationRequests(completionHandler: @escaping ([UNNotificationRequest]) -> Void) {
    completionHandler(addedRequests)
  }

  public func removePendingNotificationRequests(withIdentifiers identifiers: [String]) {
    removedIdentifiers += identifiers
    addedRequests.removeAll { identifiers.contains($0.identifier) }
  }

  public func removeAllPendingNotificationRequests() { addedRequests.removeAll() }
  public func setNotificationCategories(_ categories: Set<UNNotificationCategory>) { self.categories = categories }
}

public final class Box<Value> {
  public typealias Listener = (Value) -> Void
  private var listener: Listener?
  public var value: Value { didSet { listener?(value) } }

  public init(_ value: Value) { self.value = value }

  public func bind(_ listener: Listener?) {
    self.listener = listener
    listener?(value)
  }
}

public class Chore: NSObject, NSCopying {
  public let identifier: String
  public var title: String
  public var dueDate: Date?
  public var isRepeating = false

  public init(identifier: String = UUID().uuidString, title: String, dueDate: Date? = nil) {
    self.identifier = identifier
    self.title = title
    self.dueDate = dueDate
  }

  public func copy(with zone: NSZone? = nil) -> Any {
    let copy = Chore(identifier: identifier, title: title, dueDate: dueDate)
    copy.isRepeating = isRepeating
    return copy
  }

  public override func isEqual(_ object: Any?) -> Bool { (object as? Chore)?.identifier == identifier }
  public override var hash: Int { identifier.hashValue }
}

fileprivate enum Constants {
  enum Category { static let chore = "CHORE_CATEGORY" }
  enum Action {
    static let done = "CHORE_DONE"
    static let tomorrow = "CHORE_TOMORROW"
  }
  enum UserInfoKey: String { case choreID, scheduledAt }
  static let choreDidChange = Notification.Name("ChoreDidChange")
}

public protocol ChoreListViewModelDelegate: AnyObject {
  func viewModel(_ viewModel: ChoreListViewModel, didComplete chore: Chore)
  func viewModel(_ viewModel: ChoreListViewModel, didFailWith error: Error)
  func viewModelDidReload(_ viewModel: ChoreListViewModel)
}

extension ChoreListViewModelDelegate {
  public func viewModelDidReload(_ viewModel: ChoreListViewModel) {}
}

public class ChoreListViewModel: NSObject {
  public weak var delegate: ChoreListViewModelDelegate?
  public let permission = Box<UNAuthorizationStatus>(.notDetermined)
  public private(set) lazy var chores: [Chore] = []
  private let notificationCenter: NotificationCentering
  private let queue: OperationQueue = {
    let queue = OperationQueue()
    queue.maxConcurrentOperationCount = 1
    queue.name = "org.example.chores"
    return queue
  }()
  private var observer: NSObjectProtocol?

  public init(notificationCenter: NotificationCentering = UNUserNotificationCenter.current()) {
    self.notificationCenter = notificationCenter
    super.init()
    self.notificationCenter.delegate = self
    registerCategories()
    observer = NotificationCenter.default.addObserver(
      forName: Constants.choreDidChange, object: nil, queue: nil
    ) { [weak self] notification in
      guard let self = self, let chore = notification.userInfo?["chore"] as? Chore else { return }
      self.delegate?.viewModel(self, didComplete: chore)
    }
  }

  deinit {
    if let observer = observer { NotificationCenter.default.removeObserver(observer) }
  }

  private func registerCategories() {
    let done = UNNotificationAction(identifier: Constants.Action.done, title: "Done", options: [])
    let tomorrow: UNNotificationAction
    if #available(iOS 15.0, macOS 12.0, *) {
      tomorrow = UNNotificationAction(
        identifier: Constants.Action.tomorrow, title: "Tomorrow", options: [.authenticationRequired],
        icon: UNNotificationActionIcon(systemImageName: "sunrise"))
    } else {
      tomorrow = UNNotificationAction(identifier: Constants.Action.tomorrow, title: "Tomorrow", options: [])
    }
    let category: UNNotificationCategory
    #if os(macOS)
      category = UNNotificationCategory(
        identifier: Constants.Category.chore, actions: [done, tomorrow], intentIdentifiers: [], options: [])
    #else
      category = UNNotificationCategory(
        identifier: Constants.Category.chore, actions: [done, tomorrow], intentIdentifiers: [],
        hiddenPreviewsBodyPlaceholder: "A chore", categorySummaryFormat: "%u more chores", options: .customDismissAction
      )
    #endif
    notificationCenter.setNotificationCategories([category])
  }

  public func requestPermission(completion: @escaping (Bool) -> Void) {
    notificationCenter.requestAuthorization(options: [.alert, .sound, .badge]) { [weak self] granted, error in
      DispatchQueue.main.async {
        if let error = error { self.map { $0.delegate?.viewModel($0, didFailWith: error) } }
        self?.permission.value = granted ? .authorized : .denied
        completion(granted)
      }
    }
  }

  /// Schedules all of them, one operation each, and calls back when the last one is stored.
  public func schedule(_ chores: Chore..., completion: @escaping ([Error]) -> Void) {
    let group = DispatchGroup()
    let lock = NSRecursiveLock()
    var errors: [Error] = []
    for chore in chores.map({ $0.copy() as! Chore }) {
      self.chores.append(chore)
      let request = self.request(for: chore)
      group.enter()
      queue.addOperation(
        BlockOperation { [notificationCenter] in
          notificationCenter.add(request) { error in
            defer { group.leave() }
            guard let error = error else { return }
            lock.lock()
            errors.append(error)
            lock.unlock()
          }
        })
    }
    group.notify(queue: .global(qos: .utility)) {
      completion(errors)
    }
  }

  private func request(for chore: Chore) -> UNNotificationRequest {
    let content = UNMutableNotificationContent()
    content.title = NSString.localizedUserNotificationString(forKey: "Chore", arguments: nil)
    content.body = chore.title
    content.categoryIdentifier = Constants.Category.chore
    content.badge = NSNumber(value: chores.count)
    content.sound = chore.isRepeating ? nil : .default
    content.userInfo = [
      Constants.UserInfoKey.choreID.rawValue: chore.identifier,
      Constants.UserInfoKey.scheduledAt.rawValue: Date() as NSDate,
    ]
    var trigger: UNNotificationTrigger?
    if let date = chore.dueDate {
      let units: Set<Calendar.Component> =
        chore.isRepeating ? [.hour, .minute] : [.year, .month, .day, .hour, .minute]
      trigger = UNCalendarNotificationTrigger(
        dateMatching: Calendar.current.dateComponents(units, from: date), repeats: chore.isRepeating)
    }
    return UNNotificationRequest(identifier: "chore-\(chore.identifier)", content: content, trigger: trigger)
  }

  /// The dates to come, by the kind of their triggers; blocks its thread, as code of that time does.
  public func upcoming() -> [String: Date] {
    let semaphore = DispatchSemaphore(value: 0)
    var dates = [String: Date]()
    notificationCenter.getPendingNotificationRequests { requests in
      for request in requests { dates[request.content.body] = request.trigger?.nextDate }
      semaphore.signal()
    }
    _ = semaphore.wait(timeout: .now() + .seconds(20))
    return dates
  }

  public func remove(_ chore: Chore) {
    guard let index = chores.firstIndex(of: chore) else { return }
    chores.remove(at: index)
    notificationCenter.removePendingNotificationRequests(withIdentifiers: ["chore-\(chore.identifier)"])
  }
}

extension UNNotificationTrigger {
  /// The next date, whatever the trigger is.
  public var nextDate: Date? {
    switch self {
    case let trigger as UNCalendarNotificationTrigger: return trigger.nextTriggerDate()
    case let trigger as UNTimeIntervalNotificationTrigger: return trigger.nextTriggerDate()
    case is UNPushNotificationTrigger: return nil
    default: return nil
    }
  }
}

extension ChoreListViewModel: UNUserNotificationCenterDelegate {
  public func userNotificationCenter(
    _ center: UNUserNotificationCenter, willPresent notification: UNNotification,
    withCompletionHandler completionHandler: @escaping (UNNotificationPresentationOptions) -> Void
  ) {
    if #available(iOS 14.0, macOS 11.0, *) {
      completionHandler([.list, .banner, .badge, .sound])
    } else {
      completionHandler([.alert, .badge, .sound])
    }
  }

  public func userNotificationCenter(
    _ center: UNUserNotificationCenter, didReceive response: UNNotificationResponse,
    withCompletionHandler completionHandler: @escaping () -> Void
  ) {
    defer { completionHandler() }
    let userInfo = response.notification.request.content.userInfo
    guard let identifier = userInfo[Constants.UserInfoKey.choreID.rawValue] as? String,
      userInfo[Constants.UserInfoKey.scheduledAt.rawValue] is Date,
      let chore = chores.first(where: { $0.identifier == identifier })
    else { return }
    switch response.actionIdentifier {
    case Constants.Action.done, UNNotificationDefaultActionIdentifier:
      remove(chore)
      NotificationCenter.default.post(name: Constants.choreDidChange, object: self, userInfo: ["chore": chore])
    case Constants.Action.tomorrow:
      chore.dueDate = Calendar.current.date(byAdding: .day, value: 1, to: Date())
      center.add(request(for: chore), withCompletionHandler: nil)
      delegate?.viewModelDidReload(self)
    case UNNotificationDismissActionIdentifier: break
    default: assertionFailure("unknown action \(response.actionIdentifier)")
    }
  }
}
