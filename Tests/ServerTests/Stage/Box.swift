// SPDX-License-Identifier: Apache-2.0

/// A rectangle on the screen.
struct Box: Equatable {
  var x: Int, y: Int, width: Int, height: Int

  var center: (x: Int, y: Int) { (x + width / 2, y + height / 2) }

  /// The smallest rectangle that contains both.
  func union(_ other: Box) -> Box {
    let (left, top) = (min(x, other.x), min(y, other.y))
    let right = max(x + width, other.x + other.width)
    let bottom = max(y + height, other.y + other.height)
    return Box(x: left, y: top, width: right - left, height: bottom - top)
  }
}
