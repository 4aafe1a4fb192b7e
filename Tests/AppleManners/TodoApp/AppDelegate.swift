// SPDX-License-Identifier: Apache-2.0
import UIKit

// The manner of a to-do list of 2015: a shared list in the user defaults, a notification for each item that is found
// again by its userInfo, badges that are computed anew, and categories through NSSet. Swift 5.

struct TodoItem {
  var title: String
  var deadline: Date
  var UUID: String
}

class TodoList {
  class var sharedInstance: TodoList {
    struct Static { static let instance: TodoList = TodoList() }
    return Static.instance
  }
  fileprivate let ITEMS_KEY = "todoItems"

  func allItems() -> [TodoItem] {
    let todoDictionary = UserDefaults.standard.dictionary(forKey: ITEMS_KEY) ?? [:]
    let items = Array(todoDictionary.values)
    return items.map({
      let item = $0 as! [String: Any]
      return TodoItem(
        title: item["title"] as! String, deadline: item["deadline"] as! Date, UUID: item["UUID"] as! String)
    }).sorted(by: { (left: TodoItem, right: TodoItem) -> Bool in
      (left.deadline.compare(right.deadline) == .orderedAscending)
    })
  }

  func addItem(_ item: TodoItem) {
    var todoDictionary = UserDefaults.standard.dictionary(forKey: ITEMS_KEY) ?? Dictionary()
    todoDictionary[item.UUID] = ["deadline": item.deadline, "title": item.title, "UUID": item.UUID]
    UserDefaults.standard.set(todoDictionary, forKey: ITEMS_KEY)

    let notification = UILocalNotification()
    notification.alertBody = "Todo Item \"\(item.title)\" Is Overdue"
    notification.alertAction = "open"
    notification.fireDate = item.deadline as Date
    notification.soundName = UILocalNotificationDefaultSoundName
    notification.userInfo = ["title": item.title, "UUID": item.UUID]
    notification.category = "TODO_CATEGORY"
    UIApplication.shared.scheduleLocalNotification(notification)
    self.setBadgeNumbers()
  }

  func removeItem(_ item: TodoItem) {
    let scheduledNotifications: [UILocalNotification]? = UIApplication.shared.scheduledLocalNotifications
    guard scheduledNotifications != nil else { return }
    for notification in scheduledNotifications! {
      if (notification.userInfo!["UUID"] as! String == item.UUID) {
        UIApplication.shared.cancelLocalNotification(notification)
        break
      }
    }
    if var todoItems = UserDefaults.standard.dictionary(forKey: ITEMS_KEY) {
      todoItems.removeValue(forKey: item.UUID)
      UserDefaults.standard.set(todoItems, forKey: ITEMS_KEY)
    }
    self.setBadgeNumbers()
  }

  func scheduleReminder(forItem item: TodoItem) {
    let notification = UILocalNotification()
    notification.alertBody = "Reminder: Todo Item \"\(item.title)\" Is Overdue"
    notification.fireDate = Date(timeIntervalSinceNow: 30 * 60)
    notification.userInfo = ["title": item.title, "UUID": item.UUID]
    notification.category = "TODO_CATEGORY"
    UIApplication.shared.scheduleLocalNotification(notification)
  }

  func setBadgeNumbers() {
    let scheduledNotifications: [UILocalNotification]? = UIApplication.shared.scheduledLocalNotifications
    guard scheduledNotifications != nil else { return }
    let todoItems: [TodoItem] = self.allItems()
    for notification in scheduledNotifications! {
      let overdueItems = todoItems.filter({ (todoItem) -> Bool in
        return (todoItem.deadline.compare(notification.fireDate!) != .orderedDescending)
      })
      UIApplication.shared.cancelLocalNotification(notification)
      notification.applicationIconBadgeNumber = overdueItems.count
      UIApplication.shared.scheduleLocalNotification(notification)
    }
  }
}

@main
class AppDelegate: UIResponder, UIApplicationDelegate {
  var window: UIWindow?
  private let pipe = ProcessInfo.processInfo.environment["APP_LINES"].flatMap { FileHandle(forUpdatingAtPath: $0) }

  func note(_ line: String) { pipe?.write(Data((line + "\n").utf8)) }

  func application(
    _ application: UIApplication, didFinishLaunchingWithOptions launchOptions: [UIApplication.LaunchOptionsKey: Any]?
  ) -> Bool {
    let completeAction = UIMutableUserNotificationAction()
    completeAction.identifier = "COMPLETE_TODO"
    completeAction.title = "Complete"
    completeAction.activationMode = .background
    completeAction.isAuthenticationRequired = false
    completeAction.isDestructive = true

    let remindAction = UIMutableUserNotificationAction()
    remindAction.identifier = "REMIND"
    remindAction.title = "Remind in 30 minutes"
    remindAction.activationMode = .background
    remindAction.isDestructive = false

    let todoCategory = UIMutableUserNotificationCategory()
    todoCategory.identifier = "TODO_CATEGORY"
    todoCategory.setActions([remindAction, completeAction], for: .default)
    todoCategory.setActions([completeAction, remindAction], for: .minimal)

    application.registerUserNotificationSettings(
      UIUserNotificationSettings(
        types: [.alert, .badge, .sound], categories: NSSet(array: [todoCategory]) as? Set<UIUserNotificationCategory>))
    application.setMinimumBackgroundFetchInterval(UIApplication.backgroundFetchIntervalMinimum)
    return true
  }

  func application(_ application: UIApplication, didRegister notificationSettings: UIUserNotificationSettings) {
    let list = TodoList.sharedInstance
    list.addItem(TodoItem(title: "Milk", deadline: Date(timeIntervalSinceNow: 3600), UUID: "1"))
    list.addItem(TodoItem(title: "Tea", deadline: Date(timeIntervalSinceNow: 7200), UUID: "2"))
    list.addItem(TodoItem(title: "Late", deadline: Date(timeIntervalSinceNow: -60), UUID: "3"))
    let badges = (application.scheduledLocalNotifications ?? []).map { $0.applicationIconBadgeNumber }
    note("items \(list.allItems().map { $0.title }) badges \(badges)")
  }

  func application(
    _ application: UIApplication, handleActionWithIdentifier identifier: String?, for notification: UILocalNotification,
    completionHandler: @escaping () -> Void
  ) {
    let item = TodoItem(
      title: notification.userInfo!["title"] as! String, deadline: notification.fireDate!,
      UUID: notification.userInfo!["UUID"] as! String)
    switch identifier! {
    case "COMPLETE_TODO": TodoList.sharedInstance.removeItem(item)
    case "REMIND": TodoList.sharedInstance.scheduleReminder(forItem: item)
    default: print("Error: unexpected notification action identifier!")
    }
    let left = (application.scheduledLocalNotifications ?? []).map { $0.userInfo!["title"] as! String }
    note("\(identifier!) \(item.title), left \(left)")
    completionHandler()
  }

  func application(_ application: UIApplication, didReceive notification: UILocalNotification) {
    NotificationCenter.default.post(name: Notification.Name(rawValue: "TodoListShouldRefresh"), object: self)
    let delegate = UIApplication.shared.delegate as! AppDelegate
    delegate.note("received \(application.applicationState == .active)")
  }

  func application(
    _ application: UIApplication,
    performFetchWithCompletionHandler completionHandler: @escaping (UIBackgroundFetchResult) -> Void
  ) { completionHandler(.noData) }

  func applicationWillResignActive(_ application: UIApplication) {}
  func applicationDidEnterBackground(_ application: UIApplication) {}
  func applicationWillEnterForeground(_ application: UIApplication) {}
  func applicationDidBecomeActive(_ application: UIApplication) {}
  func applicationWillTerminate(_ application: UIApplication) {}
}
