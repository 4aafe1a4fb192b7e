// SPDX-License-Identifier: Apache-2.0

/// A screen in memory, with a pointer.
protocol Screen: AnyObject {
  /// What a program needs to find it.
  var environment: [String: String] { get }

  /// Presses a button of the mouse (1 left, 2 middle, 3 right) at a place.
  func click(_ x: Int, _ y: Int, button: Int) throws

  /// Writes what is in `box` as a PNG.
  func photograph(_ box: Box, to file: String) throws
}
