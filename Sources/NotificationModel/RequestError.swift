// SPDX-License-Identifier: Apache-2.0

/// A request that cannot be taken: which key, and what was expected of it.
public struct RequestError: Error, Hashable, Sendable, CustomStringConvertible {
  /// Where in the request: `title`, `actions[1].url`. Empty where it is the request as a whole.
  public let key: String
  /// What would have been right, or what is wrong.
  public let problem: String

  /// Names both.
  public init(_ key: String, _ problem: String) {
    self.key = key
    self.problem = problem
  }

  /// One line for a person.
  public var description: String { key.isEmpty ? problem : "'\(key)' \(problem)" }
}
