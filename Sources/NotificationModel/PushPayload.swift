// SPDX-License-Identifier: Apache-2.0

/// A payload as for Apple's push service: the dictionary `aps`, and own keys beside it. It may come from any other
/// machine, so it is small, shallow, and holds nothing that the bus cannot carry.
///
/// ``push(for:id:under:isRegistered:)`` turns it into a request.
package struct PushPayload: Hashable, Sendable {
  /// The whole payload.
  package let words: [String: PlainValue]

  /// The longest payload, in bytes of JSON without blanks: that of Apple's service.
  package static let longest = 4096
  /// The deepest nesting of lists and dictionaries, including the payload itself.
  package static let deepestNesting = 16

  /// Checks a payload; the bus carries one as an `a{sv}`.
  package init(_ words: [String: PlainValue]) throws(RequestError) {
    let all = PlainValue.dictionary(words)
    // First, because the others follow the nesting.
    do throws(Flaw) { try all.check(depth: 1) } catch {
      throw RequestError(error.path, error.path.isEmpty ? "a payload " + error.problem : error.problem)
    }
    let length = all.json.utf8.count
    guard length <= Self.longest else {
      throw RequestError("", "a payload must have at most \(Self.longest) bytes, not \(length)")
    }
    guard words["aps"] != nil else { throw RequestError("aps", "is missing: a payload has a dictionary 'aps'") }
    self.words = words
  }
}

/// What is wrong with a value within another one. The path grows on the way up, so that it costs nothing without an
/// error.
private struct Flaw: Error {
  var path: String
  let problem: String

  func within(_ outer: String) -> Flaw {
    Flaw(path: outer + (path.isEmpty || path.first == "[" ? "" : ".") + path, problem: problem)
  }
}

extension PlainValue {
  /// Refuses what neither the bus nor a stored request could hold.
  ///
  /// - Parameter depth: how many lists and dictionaries there are down to the value, if it is one.
  fileprivate func check(depth: Int) throws(Flaw) {
    func checkDepth() throws(Flaw) {
      guard depth <= PushPayload.deepestNesting else {
        throw Flaw(path: "", problem: "is nested deeper than \(PushPayload.deepestNesting) levels")
      }
    }
    switch self {
    case .text(let text) where text.utf8.contains(0): throw Flaw(path: "", problem: "must not contain NUL characters")
    case .number(let number) where !number.isFinite: throw Flaw(path: "", problem: "must be a finite number")
    case .list(let values):
      try checkDepth()
      for (index, value) in values.enumerated() {
        do throws(Flaw) { try value.check(depth: depth + 1) } catch { throw error.within("[\(index)]") }
      }
    case .dictionary(let values):
      try checkDepth()
      // In order, so that the same payload always gets the same error.
      for (key, value) in values.sorted(by: { $0.key < $1.key }) {
        guard !key.isEmpty else { throw Flaw(path: "", problem: "must not have an empty key") }
        guard !key.utf8.contains(0) else { throw Flaw(path: "", problem: "must not have a key with NUL characters") }
        do throws(Flaw) { try value.check(depth: depth + 1) } catch { throw error.within(key) }
      }
    default: break
    }
  }

  /// The value as a part of a request, which is less deep: lists and dictionaries below its last level become their
  /// JSON text.
  ///
  /// - Parameter depth: the number of levels above the value.
  func withinRequest(below depth: Int) -> PlainValue {
    switch self {
    case .list, .dictionary:
      if depth >= Self.deepestNesting { return .text(json) }
      if case .list(let values) = self { return .list(values.map { $0.withinRequest(below: depth + 1) }) }
      if case .dictionary(let values) = self {
        return .dictionary(values.mapValues { $0.withinRequest(below: depth + 1) })
      }
      return self
    default: return self
    }
  }
}
