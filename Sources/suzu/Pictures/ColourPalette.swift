// SPDX-License-Identifier: Apache-2.0

/// The few colours that stand for those of a picture, found by median cut (Heckbert, 1982): the box of colours with the
/// most pixels times the greatest extent is halved at its median, until there are enough boxes.
struct ColourPalette {
  struct Colour: Equatable {
    var red, green, blue: UInt8
  }

  /// Colours that differ less than this count as one: five bits of each part.
  private static let shift = 3
  private static let levels = 32

  private struct Bin {
    var red = 0, green = 0, blue = 0, count = 0

    func part(_ axis: Int) -> Int { (axis == 0 ? red : axis == 1 ? green : blue) / max(count, 1) }
  }

  private struct Box {
    var bins: ArraySlice<(key: Int, bin: Bin)>
    let count: Int
    let axis: Int
    let extent: Int

    init(_ bins: ArraySlice<(key: Int, bin: Bin)>) {
      self.bins = bins
      count = bins.reduce(0) { $0 + $1.bin.count }
      var (axis, extent) = (0, 0)
      for candidate in 0..<3 {
        var (least, most) = (255, 0)
        for (_, bin) in bins {
          let part = bin.part(candidate)
          (least, most) = (min(least, part), max(most, part))
        }
        if most - least > extent { (axis, extent) = (candidate, most - least) }
      }
      (self.axis, self.extent) = (axis, extent)
    }

    var weight: Int { bins.count > 1 ? count * extent : 0 }
  }

  private(set) var colours: [Colour] = []
  /// The colour of each bin.
  private var indexes: [Int32]

  /// The palette of the visible pixels, with at most `most` colours.
  init(of pixels: Pixels, most: Int) {
    var bins = [Bin](repeating: Bin(), count: Self.levels * Self.levels * Self.levels)
    for row in 0..<pixels.height {
      for column in 0..<pixels.width {
        let pixel = pixels[column, row]
        guard pixel.opacity >= SixelEncoder.leastOpacity else { continue }
        let key = Self.key(pixel.red, pixel.green, pixel.blue)
        bins[key].red += Int(pixel.red)
        bins[key].green += Int(pixel.green)
        bins[key].blue += Int(pixel.blue)
        bins[key].count += 1
      }
    }
    indexes = [Int32](repeating: 0, count: bins.count)
    let used = bins.indices.filter { bins[$0].count > 0 }.map { (key: $0, bin: bins[$0]) }
    guard !used.isEmpty else { return }
    var boxes = [Box(used[...])]
    while boxes.count < most, let widest = boxes.indices.max(by: { boxes[$0].weight < boxes[$1].weight }),
      boxes[widest].weight > 0
    {
      let (low, high) = Self.halves(of: boxes[widest])
      boxes[widest] = low
      boxes.append(high)
    }
    for (index, box) in boxes.enumerated() {
      var sum = Bin()
      for (key, bin) in box.bins {
        sum.red += bin.red
        sum.green += bin.green
        sum.blue += bin.blue
        sum.count += bin.count
        indexes[key] = Int32(index)
      }
      colours.append(Colour(red: UInt8(sum.part(0)), green: UInt8(sum.part(1)), blue: UInt8(sum.part(2))))
    }
  }

  /// The index of the colour that stands for a visible pixel of the picture.
  func index(red: UInt8, green: UInt8, blue: UInt8) -> Int { Int(indexes[Self.key(red, green, blue)]) }

  private static func key(_ red: UInt8, _ green: UInt8, _ blue: UInt8) -> Int {
    Int(red >> shift) << 10 | Int(green >> shift) << 5 | Int(blue >> shift)
  }

  /// Two parts with about as many pixels; none is empty.
  private static func halves(of box: Box) -> (Box, Box) {
    let sorted = box.bins.sorted { ($0.bin.part(box.axis), $0.key) < ($1.bin.part(box.axis), $1.key) }
    var (sum, middle) = (0, 1)
    for index in sorted.indices.dropLast() {
      sum += sorted[index].bin.count
      middle = index + 1
      if sum * 2 >= box.count { break }
    }
    return (Box(sorted[..<middle]), Box(sorted[middle...]))
  }
}
