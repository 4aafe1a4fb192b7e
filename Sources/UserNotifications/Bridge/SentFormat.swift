// SPDX-License-Identifier: Apache-2.0
internal import NotificationModel
internal import RunningApp

extension SummaryFormat {
  /// The format of an app: `%u` stands for a number and `%@` for names; nil for none.
  ///
  /// - Parameter hasNames: whether `%@` has a meaning; otherwise it is left out.
  init?(ofApp format: String, hasNames: Bool, in category: String) {
    if format.isEmpty { return nil }
    var text = ""
    var rest = format.filter { $0 != "\0" }[...]
    while let first = rest.first {
      if let place = rest.prefixMatch(of: /%(?:[0-9]+\$)?(?<kind>(?:l?l?|z|h)[uUdDi]|@|%)/) {
        switch place.output.kind {
        case "@": text += hasNames ? "{names}" : ""
        case "%": text += "%"
        default: text += "{count}"
        }
        rest = rest[place.range.upperBound...]
      } else if let name = rest.prefixMatch(of: /\{+[^{}]*\}+/) {
        // What looks like a placeholder of the center is none.
        text += "{\(name.output)}"
        rest = rest[name.range.upperBound...]
      } else {
        text.append(first)
        rest = rest.dropFirst()
      }
    }
    do throws(RequestError) { try self.init(text, hasNames: hasNames) } catch {
      warnOnce("a format of the category '\(category)' \(error.problem); it is left out")
      return nil
    }
  }
}
