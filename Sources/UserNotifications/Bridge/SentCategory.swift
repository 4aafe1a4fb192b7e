// SPDX-License-Identifier: Apache-2.0
internal import Foundation
internal import NotificationModel
internal import RunningApp

/// Categories at the center. What its own keys do not hold is kept beside them.
extension UNNotificationCategory {
  /// The key under which a category or a request keeps what the center does not know.
  static let keptKey = "dev.suzu.UserNotifications"

  /// The category as the center registers it.
  var sent: NotificationModel.Category {
    var category = NotificationModel.Category(
      id: SentIdentifier.text(identifier), actions: sentActions,
      customDismiss: options.contains(.customDismissAction), hidden: sentHidden,
      summary: SummaryFormat(ofApp: categorySummaryFormat, hasNames: true, in: identifier))
    if let data = kept.data { category.userInfo[Self.keptKey] = .text(data.base64EncodedString()) }
    return category
  }

  /// What is shown while previews are hidden; nil for what is shown anyway.
  private var sentHidden: NotificationModel.Category.Hidden? {
    let hidden = NotificationModel.Category.Hidden(
      body: SummaryFormat(ofApp: hiddenPreviewsBodyPlaceholder, hasNames: false, in: identifier),
      title: options.contains(.hiddenPreviewsShowTitle), subtitle: options.contains(.hiddenPreviewsShowSubtitle))
    return hidden == NotificationModel.Category.Hidden() ? nil : hidden
  }

  /// Its actions as the center knows them.
  var sentActions: [NotificationModel.Action] {
    var known: Set<String> = []
    return actions.compactMap { action in
      guard known.insert(action.identifier).inserted else {
        warnOnce("the category '\(identifier)' has two actions '\(action.identifier)'; the first one counts")
        return nil
      }
      return action.sent
    }
  }

  /// Reads a category of the center.
  convenience init(_ category: NotificationModel.Category) {
    if let kept = KeptValues(userInfo: category.userInfo), kept.text("identifier") != nil {
      self.init(kept: kept)
      return
    }
    // Another program made it.
    self.init(
      identifier: SentIdentifier.identifier(category.id) ?? category.id,
      actions: category.actions.map(UNNotificationAction.made(from:)), intentIdentifiers: [],
      options: category.customDismiss ? .customDismissAction : [])
  }
}

extension KeptValues {
  /// What a request or a category keeps for this module; nil if another program made it.
  init?(userInfo: [String: PlainValue]) {
    guard case .text(let text)? = userInfo[UNNotificationCategory.keptKey], let data = Data(base64Encoded: text) else {
      return nil
    }
    self.init(data: data)
  }
}

extension UNNotificationAction {
  fileprivate var sent: NotificationModel.Action {
    var action = NotificationModel.Action(
      id: SentIdentifier.text(identifier), title: title.filter { $0 != "\0" }, icon: icon?.sent,
      foreground: options.contains(.foreground), destructive: options.contains(.destructive),
      authenticationRequired: options.contains(.authenticationRequired))
    if let text = self as? UNTextInputNotificationAction {
      action.input = NotificationModel.Action.Input(
        placeholder: text.textInputPlaceholder.isEmpty ? nil : text.textInputPlaceholder.filter { $0 != "\0" },
        button: text.textInputButtonTitle.isEmpty ? nil : text.textInputButtonTitle.filter { $0 != "\0" })
    }
    return action
  }

  fileprivate static func made(from action: NotificationModel.Action) -> UNNotificationAction {
    var options: UNNotificationActionOptions = []
    if action.foreground { options.insert(.foreground) }
    if action.destructive { options.insert(.destructive) }
    if action.authenticationRequired { options.insert(.authenticationRequired) }
    let identifier = SentIdentifier.identifier(action.id) ?? action.id
    let icon = action.icon.map { UNNotificationActionIcon(templateImageName: $0) }
    guard let input = action.input else {
      return UNNotificationAction(identifier: identifier, title: action.title, options: options, icon: icon)
    }
    return UNTextInputNotificationAction(
      identifier: identifier, title: action.title, options: options, icon: icon,
      textInputButtonTitle: input.button ?? "", textInputPlaceholder: input.placeholder ?? "")
  }
}

extension UNNotificationActionIcon {
  /// The nearest icons of freedesktop's naming specification.
  private static let symbols = [
    "trash": "user-trash", "checkmark": "emblem-ok", "xmark": "window-close",
    "arrowshape.turn.up.left": "mail-reply-sender",
    "arrowshape.turn.up.right": "mail-forward", "envelope": "mail-unread", "paperplane": "mail-send",
    "phone": "call-start",
    "phone.down": "call-stop", "bell": "alarm", "clock": "alarm", "alarm": "alarm", "star": "starred",
    "heart": "emblem-favorite", "bookmark": "bookmark-new", "plus": "list-add", "minus": "list-remove",
    "pencil": "document-edit", "square.and.pencil": "document-edit", "magnifyingglass": "edit-find",
    "gear": "preferences-system", "play": "media-playback-start", "pause": "media-playback-pause",
    "stop": "media-playback-stop", "forward": "media-seek-forward", "backward": "media-seek-backward",
    "calendar": "x-office-calendar", "folder": "folder", "doc": "text-x-generic", "photo": "image-x-generic",
    "person": "avatar-default", "lock": "changes-prevent", "mappin": "mark-location", "location": "mark-location",
  ]

  /// The name in the icon theme. A symbol may have `.fill` or `.circle` behind its name.
  fileprivate var sent: String? {
    guard !name.isEmpty, !name.contains("\0") else { return nil }
    guard isOfSystem else { return name }
    var base = name
    while true {
      if let known = Self.symbols[base] { return known }
      guard let ending = [".fill", ".circle", ".square"].first(where: base.hasSuffix) else { return name }
      base.removeLast(ending.count)
    }
  }
}
