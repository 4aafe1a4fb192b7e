// SPDX-License-Identifier: Apache-2.0
internal import Foundation
internal import NotificationModel

/// Requests at the center.
///
/// A request has all values that the center understands in its own keys. The request of Apple's shape is kept whole
/// beside the values of the app, so that it comes back equal, also with a response.
struct SentRequest {
  let request: UNNotificationRequest
  /// The category of the content, if the center knows it.
  let category: RegisteredCategory?
  let app: AppID
  /// Whether it takes the place of a push: it is shown now, though it has the trigger of one.
  var isPush = false

  /// The request for the center. Throws if it has no date to come, or a content that cannot be kept.
  func made() throws(UNError) -> NotificationRequest {
    let schedule = isPush ? .now : try UNNotificationTrigger.schedule(of: request.trigger)
    let values = request.content.values
    let content = try content(values)
    do throws(RequestError) {
      return try NotificationRequest(
        app: app, id: RequestID(SentIdentifier.text(request.identifier)), content, schedule: schedule)
    } catch {
      throw UNError(.notificationInvalidNoContent, error.description)
    }
  }

  private func content(_ values: ContentValues) throws(UNError) -> NotificationRequest.Content {
    let texts = try ShownTexts(values, app: app)
    var content = NotificationRequest.Content(title: texts.title)
    content.subtitle = texts.subtitle
    content.body = texts.body
    content.badge = try Self.badge(values.badge)
    content.sound = values.sound?.sent ?? .silent
    content.image = values.shownImage.map { .file($0.path) }
    content.level = values.interruptionLevel.sent
    if !values.threadIdentifier.isEmpty { content.thread = SentIdentifier.text(values.threadIdentifier) }
    if values.relevanceScore > 0 { content.relevance = min(values.relevanceScore, 1) }
    let argument = values.summaryArgument.filter { $0 != "\0" }
    if !argument.isEmpty { content.summaryName = argument }
    if values.summaryArgumentCount != 1 {
      content.summaryCount = min(max(values.summaryArgumentCount, 1), Int(UInt16.max))
    }
    if let category {
      content.category = CategoryID(trusted: category.category.id)
      content.actions = category.ownActions
    }
    content.userInfo = try userInfo(values)
    return content
  }

  private static func badge(_ badge: NSNumber?) throws(UNError) -> Int? {
    guard let badge else { return nil }
    guard 0...Int(Int32.max) ~= badge.intValue else {
      throw UNError(.badgeInputInvalid, "the badge must be from 0 to \(Int32.max), not \(badge)")
    }
    return badge.intValue
  }

  /// The values of the app as other programs see them, and the whole request.
  private func userInfo(_ values: ContentValues) throws(UNError) -> [String: PlainValue] {
    let checked = try PropertyList.checked(values.userInfo)
    var userInfo: [String: PlainValue] = [:]
    for (name, value) in checked where !name.isEmpty && !name.utf8.contains(0) {
      userInfo[name] = PropertyList.plain(value)
    }
    guard let data = request.kept.data else {
      throw UNError(.notificationInvalidNoContent, "the content cannot be kept as a property list")
    }
    userInfo[UNNotificationCategory.keptKey] = .text(data.base64EncodedString())
    return userInfo
  }
}

extension RegisteredCategory {
  /// The actions that a request names itself, because a banner shows only two of its category. Those in a file have
  /// effects of their own, which stay in the category.
  var ownActions: [NotificationModel.Action] { file == nil ? UNNotificationCategory(category).sentActions : [] }
}

/// The texts of a notification as the center shows them.
struct ShownTexts: Equatable {
  var title: String
  var subtitle: String?
  var body: String?

  /// A notification without any text shows the name of its app, because a server shows no empty ones. One that has no
  /// badge, sound or picture either is refused.
  init(_ values: ContentValues, app: AppID) throws(UNError) {
    func text(_ text: String) -> String? { text.isEmpty ? nil : text.filter { $0 != "\0" } }
    title = text(values.title) ?? ""
    subtitle = text(values.subtitle)
    body = text(values.body)
    guard title.isEmpty, body == nil else { return }
    if let subtitle {
      title = subtitle
      self.subtitle = nil
    } else if values.badge != nil || values.sound != nil || !values.attachments.isEmpty {
      title = app.text
    } else {
      throw UNError(.notificationInvalidNoContent, "the content has no text, badge, sound or attachment")
    }
  }

  init(_ content: NotificationRequest.Content) {
    (title, subtitle, body) = (content.title, content.subtitle, content.body)
  }
}

extension ContentValues {
  fileprivate var shownImage: URL? {
    attachments.first { AttachmentType.kind(of: $0.type) == .image && $0.isShown }?.url
  }
}

extension UNNotificationInterruptionLevel {
  fileprivate var sent: NotificationRequest.Level {
    switch self {
    case .passive: .passive
    case .active: .active
    case .timeSensitive: .timeSensitive
    case .critical: .critical
    }
  }

  init(_ level: NotificationRequest.Level) {
    switch level {
    case .passive: self = .passive
    case .active: self = .active
    case .timeSensitive: self = .timeSensitive
    case .critical: self = .critical
    }
  }
}

extension UNNotificationSound {
  /// The file of the app with the name, a sound of the theme, or the usual sound.
  fileprivate var sent: Sound {
    guard let name = name?.rawValue, !name.isEmpty, !name.contains("\0") else { return .standard }
    if name.hasPrefix("/") { return FileManager.default.isReadableFile(atPath: name) ? .file(name) : .standard }
    let home = FileManager.default.homeDirectoryForCurrentUser
    let data = ProcessInfo.processInfo.environment["XDG_DATA_HOME"].map { URL(fileURLWithPath: $0) }
    let folders = [
      home.appendingPathComponent("Library/Sounds"), Bundle.main.resourceURL, Bundle.main.bundleURL,
      (data ?? home.appendingPathComponent(".local/share")).appendingPathComponent("sounds"),
    ]
    for folder in folders {
      if let path = folder?.appendingPathComponent(name).path, FileManager.default.isReadableFile(atPath: path) {
        return .file(path)
      }
    }
    // A name without an ending may be one of the theme; a file that is missing gives the usual sound, as at Apple.
    return name.contains(".") || name.contains("/") ? .standard : .named(name)
  }
}
