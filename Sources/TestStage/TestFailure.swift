// SPDX-License-Identifier: Apache-2.0

/// Something that a test waited for did not come, or the surroundings of the test could not be made.
public struct TestFailure: Error, CustomStringConvertible {
  /// One line: what is missing.
  public let description: String

  /// A failure with a message.
  public init(_ description: String) { self.description = description }
}
