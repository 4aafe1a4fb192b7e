// SPDX-License-Identifier: Apache-2.0
internal import NotificationModel
internal import Scheduling

/// The content of a message, as a carrier gets it.
enum OutgoingContent: Equatable {
  case message(OutgoingMessage)
  case call(HTTPCall)
  /// The answer to a push: its words.
  case answer([String: PlainValue])
}

/// A notification in the form in which it is sent elsewhere.
struct OutgoingMessage: Equatable {
  let app: String
  let id: String
  /// The same in all messages of one notification, and in no other of this machine.
  let delivery: DeliveryRecord.Number
  let title: String
  let body: String
  let level: NotificationRequest.Level
  /// The page that a click opens; nil if there is none.
  let url: String?
}

/// Makes the texts of messages.
struct OutgoingTexts {
  let store: Store
  let apps: Apps
  let categories: Categories
  let names: AppNames

  /// Returns nil if its notification has been deleted, or cannot be read.
  func content(of record: OutgoingRecord) throws(StoreError) -> OutgoingContent? {
    switch record.subject {
    case .step(let step, let delivery, _): try message(step, of: delivery).map { .message($0) }
    case .answer(_, _, let content):
      if case .dictionary(let words)? = try? JSONReader.read(content) { .answer(words) } else { nil }
    case .call(_, let content): (try? JSONReader.read(content).decode(as: HTTPCall.self)).map { .call($0) }
    }
  }

  private func message(_ step: Int, of number: DeliveryRecord.Number) throws(StoreError) -> OutgoingMessage? {
    guard let delivery = try store.delivery(number),
      let stored = try store.request(revision: delivery.revision),
      let made = Payload.request(stored)
    else { return nil }
    let due = Due(made, as: delivery, asker: stored.asker, step: step)
    // Only the user's own programs send: the rights are those of the request, and count now.
    guard due.rights == .all else { return nil }
    let request = shown(due.request)
    let body = request.content.body.map { request.content.markup ? Markup($0).plain : $0 }
    return OutgoingMessage(
      app: delivery.app, id: delivery.id, delivery: delivery.number, title: DisplayText.line(request.content.title),
      body: DisplayText.text([request.content.subtitle, body].compactMap(\.self).joined(separator: "\n")),
      level: request.content.level, url: Self.page(request.content.url))
  }

  /// The texts of an app that shows none on the screen (`previews`) are not sent to another screen either.
  private func shown(_ request: NotificationRequest) -> NotificationRequest {
    guard apps[request.app.text].previews == .never else { return request }
    let category = request.content.category.flatMap {
      categories.category($0.text, of: request.app.text, for: .all)
    }
    let name = request.content.appName ?? names.name(of: request.app.text, isSandboxed: false)
    return request.hidingTexts(category?.hidden, name: name, count: 1)
  }

  /// Only a page of the web: other URLs mean something on this machine only. None with placeholders, because there is
  /// no answer yet to fill them with.
  private static func page(_ url: String?) -> String? {
    guard let url, !url.contains("{"), ["http://", "https://"].contains(where: url.lowercased().hasPrefix) else {
      return nil
    }
    return url
  }
}
