// SPDX-License-Identifier: Apache-2.0
package import Freedesktop

/// The additional URL schemes that clicks may open: the file `schemes`, one scheme per line, with comments after `#`.
package struct AddedSchemes {
  package private(set) var text: String
  package private(set) var known: Set<String>
  /// Schemes that were not in the file.
  package private(set) var new: [String] = []

  package static let name = "schemes"

  package init(_ text: String) {
    self.text = text
    known = SchemeList(text).schemes
  }

  /// Makes a URL openable by adding its scheme if necessary. Schemes for folders and terminals on other machines are
  /// never added: only the user may do that.
  package mutating func allow(_ url: String, _ declared: Set<String>) throws(URLRefusal) {
    func check(_ added: Set<String>) throws(URLRefusal) {
      _ = try URLPolicy(added: added) { declared }.check(url)
    }
    do throws(URLRefusal) { return try check(known) } catch {
      let scheme = url.prefix { $0 != ":" }.lowercased()
      if URLPolicy.remoteSchemes.contains(scheme) { throw error }
      try check(known.union([scheme]))
      known.insert(scheme)
      new.append(scheme)
      if !text.isEmpty && text.last?.isNewline == false { text += "\n" }
      text += "\(scheme)  # suzu launcher\n"
    }
  }
}
