// SPDX-License-Identifier: Apache-2.0

extension DecodingError {
  /// One line for users, for the error of any decoder: `actions[1].title: expected a string, got u`.
  public var summary: String {
    switch self {
    case .typeMismatch(_, let context), .valueNotFound(_, let context), .dataCorrupted(let context):
      line(context.codingPath, context.debugDescription)
    case .keyNotFound(let key, let context):
      line(context.codingPath + [key], "missing")
    @unknown default:
      "\(self)"
    }
  }
}

extension EncodingError {
  /// One line for users, for the error of any encoder: `actions[1]: …`.
  public var summary: String {
    switch self {
    case .invalidValue(_, let context): line(context.codingPath, context.debugDescription)
    @unknown default: "\(self)"
    }
  }
}

private func line(_ path: [any CodingKey], _ problem: String) -> String {
  var text = ""
  for key in path {
    if let index = key.intValue {
      text += "[\(index)]"
    } else {
      text += text.isEmpty ? key.stringValue : ".\(key.stringValue)"
    }
  }
  return text.isEmpty ? problem : "\(text): \(problem)"
}
