// SPDX-License-Identifier: Apache-2.0
internal import Foundation

/// The values of a content.
struct ContentValues: Equatable, @unchecked Sendable {
  // @unchecked: `userInfo` holds property lists, which are values.

  var title = ""
  var subtitle = ""
  var body = ""
  var badge: NSNumber?
  var sound: UNNotificationSound?
  var attachments: [UNNotificationAttachment] = []
  var launchImageName = ""
  var userInfo: [AnyHashable: Any] = [:]
  var categoryIdentifier = ""
  var threadIdentifier = ""
  var targetContentIdentifier: String?
  var interruptionLevel = UNNotificationInterruptionLevel.active
  var relevanceScore = 0.0
  var filterCriteria: String?
  var summaryArgument = ""
  var summaryArgumentCount = 1

  init() {}

  static func == (left: ContentValues, right: ContentValues) -> Bool {
    left.withoutUserInfo == right.withoutUserInfo
      && NSDictionary(dictionary: left.userInfo).isEqual(NSDictionary(dictionary: right.userInfo))
  }

  /// Everything but the `userInfo` of the app, which may hold what is no property list until the request is added.
  private var withoutUserInfo: KeptValues {
    func known(_ text: String) -> String? { text.isEmpty ? nil : text }
    return KeptValues([
      "title": known(title), "subtitle": known(subtitle), "body": known(body), "badge": badge,
      "sound": sound?.kept.values, "attachments": attachments.isEmpty ? nil : attachments.map(\.kept.values),
      "launchImageName": known(launchImageName), "categoryIdentifier": known(categoryIdentifier),
      "threadIdentifier": known(threadIdentifier), "targetContentIdentifier": targetContentIdentifier,
      "interruptionLevel": interruptionLevel == .active ? nil : Int(interruptionLevel.rawValue),
      "relevanceScore": relevanceScore == 0 ? nil : relevanceScore, "filterCriteria": filterCriteria,
      "summaryArgument": known(summaryArgument),
      "summaryArgumentCount": summaryArgumentCount == 1 ? nil : summaryArgumentCount,
    ])
  }

  /// The form that is kept, without a `userInfo` that holds what is no property list.
  var kept: KeptValues {
    guard !userInfo.isEmpty, let checked = try? PropertyList.checked(userInfo) else { return withoutUserInfo }
    return KeptValues(withoutUserInfo.values.merging(["userInfo": checked]) { $1 })
  }

  init(kept: KeptValues) {
    title = kept.text("title") ?? ""
    subtitle = kept.text("subtitle") ?? ""
    body = kept.text("body") ?? ""
    badge = kept.values["badge"] as? NSNumber
    sound = kept.values("sound").flatMap(UNNotificationSound.init(kept:))
    attachments = (kept.list("attachments") ?? []).compactMap(UNNotificationAttachment.init(kept:))
    launchImageName = kept.text("launchImageName") ?? ""
    userInfo = PropertyList.read(kept.values("userInfo")?.values ?? [:])
    categoryIdentifier = kept.text("categoryIdentifier") ?? ""
    threadIdentifier = kept.text("threadIdentifier") ?? ""
    targetContentIdentifier = kept.text("targetContentIdentifier")
    interruptionLevel =
      kept.unsigned("interruptionLevel").flatMap { UNNotificationInterruptionLevel(rawValue: $0) } ?? .active
    relevanceScore = kept.number("relevanceScore") ?? 0
    filterCriteria = kept.text("filterCriteria")
    summaryArgument = kept.text("summaryArgument") ?? ""
    summaryArgumentCount = kept.integer("summaryArgumentCount") ?? 1
  }
}
