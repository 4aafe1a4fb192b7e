// SPDX-License-Identifier: Apache-2.0

/// Writes a picture as sixels, columns of six pixels (DEC STD 070, section 9,
/// https://vt100.net/docs/vt3xx-gp/chapter14.html).
enum SixelEncoder {
  /// Pixels with less opacity are left out, and the terminal shows its background: sixels are opaque.
  static let leastOpacity: UInt8 = 128
  /// How many colours a terminal may be expected to have; more make a small picture no better.
  static let colours = 2...256

  /// The sequence that draws the picture from the cursor on.
  static func sequence(for pixels: Pixels, colours: Int) -> [UInt8] {
    let palette = ColourPalette(of: pixels, most: min(max(colours, Self.colours.lowerBound), Self.colours.upperBound))
    // A macro parameter of 0, 1 for a background that stays, and the proportions 1:1 of a pixel.
    var output = Array("\u{1B}P0;1;0q\"1;1;\(pixels.width);\(pixels.height)".utf8)
    for (index, colour) in palette.colours.enumerated() {
      let parts = [colour.red, colour.green, colour.blue].map { (Int($0) * 100 + 127) / 255 }
      output += Array("#\(index);2;\(parts[0]);\(parts[1]);\(parts[2])".utf8)
    }
    for top in stride(from: 0, to: pixels.height, by: 6) {
      if top > 0 { output.append(UInt8(ascii: "-")) }
      addBand(from: top, of: pixels, palette, to: &output)
    }
    return output + [0x1B, UInt8(ascii: "\\")]
  }

  /// Six rows: one line for each colour that is in them, each on top of the one before.
  private static func addBand(from top: Int, of pixels: Pixels, _ palette: ColourPalette, to output: inout [UInt8]) {
    var lines: [Int: [UInt8]] = [:]
    for row in top..<min(top + 6, pixels.height) {
      for column in 0..<pixels.width {
        let pixel = pixels[column, row]
        guard pixel.opacity >= leastOpacity else { continue }
        let index = palette.index(red: pixel.red, green: pixel.green, blue: pixel.blue)
        lines[index, default: [UInt8](repeating: 0, count: pixels.width)][column] |= 1 << UInt8(row - top)
      }
    }
    for (number, line) in lines.sorted(by: { $0.key < $1.key }).enumerated() {
      if number > 0 { output.append(UInt8(ascii: "$")) }
      output += Array("#\(line.key)".utf8)
      addRuns(of: line.value, to: &output)
    }
  }

  /// The sixels of a line; equal ones in a row are counted, empty ones at its end left out.
  private static func addRuns(of sixels: [UInt8], to output: inout [UInt8]) {
    let end = (sixels.lastIndex { $0 != 0 } ?? -1) + 1
    var start = 0
    while start < end {
      var next = start + 1
      while next < end, sixels[next] == sixels[start] { next += 1 }
      let character = UInt8(ascii: "?") + sixels[start]
      if next - start > 3 {
        output += Array("!\(next - start)".utf8) + [character]
      } else {
        output += [UInt8](repeating: character, count: next - start)
      }
      start = next
    }
  }
}
