// SPDX-License-Identifier: Apache-2.0

extension ListedRequest {
  /// The row without the values of headers that its buttons send: they may be secrets, and a history is read by more
  /// people than a request.
  package var withoutHeaders: ListedRequest {
    guard case .list(let actions)? = words["actions"] else { return self }
    var row = self
    row.words["actions"] = .list(actions.map(Self.withoutHeaders))
    return row
  }

  private static func withoutHeaders(_ action: PlainValue) -> PlainValue {
    guard case .dictionary(var words) = action, case .dictionary(var call)? = words["http"],
      case .dictionary(let headers)? = call["headers"]
    else { return action }
    call["headers"] = .dictionary(headers.mapValues { _ in .text("…") })
    words["http"] = .dictionary(call)
    return .dictionary(words)
  }
}
