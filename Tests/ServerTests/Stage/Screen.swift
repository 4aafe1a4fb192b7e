// SPDX-License-Identifier: Apache-2.0

/// A screen in memory, with a pointer.
protocol Screen: AnyObject {
  /// The variables that programs need to find it.
  var environment: [String: String] { get }

  /// Clicks a mouse button (1 left, 2 middle, 3 right) at a position.
  func click(_ x: Int, _ y: Int, button: Int) throws

  /// Saves the content of `box` as a PNG.
  func photograph(_ box: Box, to file: String) throws
}
