// SPDX-License-Identifier: Apache-2.0
internal import Foundation
internal import NotificationModel
internal import RunningApp

/// The files of attachments, copied into the data of the app: `$XDG_DATA_HOME/APP/notification-attachments`, with a
/// folder for each request. A request may be shown long after the program has removed its own file.
struct AttachmentStore: Sendable {
  private let running: RunningApp

  init(_ running: RunningApp) { self.running = running }

  private var folder: URL {
    let variable = ProcessInfo.processInfo.environment["XDG_DATA_HOME"].flatMap { $0.hasPrefix("/") ? $0 : nil }
    let data =
      variable.map { URL(fileURLWithPath: $0) }
      ?? FileManager.default.homeDirectoryForCurrentUser.appendingPathComponent(".local/share")
    return data.appendingPathComponent(Self.name(running.id.text)).appendingPathComponent("notification-attachments")
  }

  /// A name of a file, which has no slash and is not hidden.
  private static func name(_ text: String) -> String {
    let name = text.replacingOccurrences(of: "/", with: "_")
    return name.hasPrefix(".") ? "_" + name.dropFirst() : name
  }

  private func folder(of id: String) -> URL { folder.appendingPathComponent(Self.name(id)) }

  /// Whether there are any files.
  var hasAny: Bool { FileManager.default.fileExists(atPath: folder.path) }

  /// The request with its files in the store.
  func keep(_ request: UNNotificationRequest) throws(UNError) -> UNNotificationRequest {
    let values = request.content.values
    if values.attachments.isEmpty { return request }
    let folder = folder(of: SentIdentifier.text(request.identifier))
    var kept: [UNNotificationAttachment] = []
    for (number, attachment) in values.attachments.enumerated() {
      kept.append(attachment.at(try keep(attachment.url, number, in: folder)))
    }
    var changed = values
    changed.attachments = kept
    return UNNotificationRequest(
      identifier: request.identifier, content: UNNotificationContent(changed), trigger: request.trigger)
  }

  private func keep(_ file: URL, _ number: Int, in folder: URL) throws(UNError) -> URL {
    if file.path.hasPrefix(folder.path + "/") { return file }
    let target = folder.appendingPathComponent("\(number)-\(Self.name(file.lastPathComponent))")
    do {
      try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
      // Written beside it, so that a notification of an earlier request with this identifier keeps its image.
      let new = folder.appendingPathComponent(".new-\(UUID().uuidString)")
      try FileManager.default.copyItem(at: file, to: new)
      try? FileManager.default.removeItem(at: target)
      try FileManager.default.moveItem(at: new, to: target)
    } catch {
      throw UNError(
        .attachmentMoveIntoDataStoreFailed, "the attachment '\(file.path)' cannot be copied to '\(target.path)'", error)
    }
    return target
  }

  /// Removes the files of all other requests.
  func remove(allBut ids: Set<String>) {
    let names = Set(ids.map(Self.name))
    for name in (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? [] where !names.contains(name) {
      try? FileManager.default.removeItem(at: folder.appendingPathComponent(name))
    }
  }
}
