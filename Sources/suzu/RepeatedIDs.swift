// SPDX-License-Identifier: Apache-2.0
internal import NotificationModel

/// Finds two requests of one file with the same app and id: the second one would replace the first.
enum RepeatedIDs {
  private struct Key: Hashable {
    let app: Identifier
    let id: Identifier
  }

  /// Throws an error about the later one that names the place of the earlier one.
  ///
  /// - Parameters:
  ///   - path: the path of a request's id in the file.
  ///   - place: the place of a value in the file; nil if the format has no lines.
  static func check(
    _ requests: [[String: PlainValue]], path: (_ number: Int) -> String,
    place: (RequestError) -> DocumentPlace?
  ) throws(RequestError) {
    var seen: [Key: Int] = [:]
    for (number, words) in requests.enumerated() {
      guard case .text(let id)? = words["id"] else { continue }
      let app = if case .text(let app)? = words["app"] { app } else { NotificationRequest.defaultApp }
      guard let first = seen.updateValue(number, forKey: Key(app: Identifier(app), id: Identifier(id))) else {
        continue
      }
      let location = place(RequestError(path(first), "")).map { " in \($0)" } ?? ""
      throw RequestError(
        path(number), "is '\(PrintableText.line(id, atMost: 60))' again, as '\(path(first))'\(location)")
    }
  }
}
