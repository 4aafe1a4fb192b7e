// SPDX-License-Identifier: Apache-2.0

/// Follows a parser to find the position of a key path's value. Only used after an error, by parsing a second time.
struct PlaceSearch {
  private let wanted: String
  private let isAboutKey: Bool
  /// The key paths from the root to the current position, as long as they lead to the wanted one.
  private var path = [""]
  private var stepsAstray = 0
  /// The position found; for a missing value, that of the innermost existing container.
  private(set) var found = 0
  private var depthOfFound = -1

  init(for error: RequestError) {
    wanted = error.key
    isAboutKey = error.isAboutKey
  }

  mutating func begin(at position: Int) {
    note(position, keyAt: nil)
  }

  mutating func enter(_ key: String, keyAt: Int, at position: Int) {
    enter(position, keyAt: keyAt) { path in path.isEmpty ? key : path + "." + key }
  }

  mutating func enter(_ index: Int, at position: Int) {
    enter(position, keyAt: nil) { path in path + "[\(index)]" }
  }

  private mutating func enter(_ position: Int, keyAt: Int?, step: (String) -> String) {
    guard stepsAstray == 0, let here = path.last else {
      stepsAstray += 1
      return
    }
    let next = step(here)
    guard leadsToWanted(next) else {
      stepsAstray = 1
      return
    }
    path.append(next)
    note(position, keyAt: keyAt)
  }

  mutating func leave() {
    if stepsAstray > 0 { stepsAstray -= 1 } else { path.removeLast() }
  }

  /// Compares in the form of the error's key, which is shortened and without line breaks.
  private func leadsToWanted(_ path: String) -> Bool {
    let line = RequestError.line(path)
    guard line != wanted else { return true }
    guard wanted.hasPrefix(line) else { return false }
    let next = wanted.dropFirst(line.count).first
    return next == "." || next == "["
  }

  private mutating func note(_ position: Int, keyAt: Int?) {
    // For ambiguous paths, such as "a.b" and "b" in "a", the first counts.
    guard path.count > depthOfFound else { return }
    depthOfFound = path.count
    found = isAboutKey && path.last.map(RequestError.line) == wanted ? keyAt ?? position : position
  }
}
