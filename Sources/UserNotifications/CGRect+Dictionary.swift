// SPDX-License-Identifier: Apache-2.0
public import Foundation

extension CGRect {
  /// The rectangle as ``UNNotificationAttachmentOptionsThumbnailClippingRectKey`` wants it. Apple's CoreGraphics has
  /// this property, whose type is `CFDictionary` there.
  public var dictionaryRepresentation: NSDictionary {
    NSDictionary(dictionary: [
      "X": Double(origin.x), "Y": Double(origin.y), "Width": Double(size.width), "Height": Double(size.height),
    ])
  }

  /// Reads a rectangle; nil if a number is missing.
  public init?(dictionaryRepresentation dictionary: NSDictionary) {
    func number(_ key: String) -> Double? { (dictionary[key] as? NSNumber)?.doubleValue }
    guard let x = number("X"), let y = number("Y"), let width = number("Width"), let height = number("Height") else {
      return nil
    }
    self.init(x: x, y: y, width: width, height: height)
  }
}
