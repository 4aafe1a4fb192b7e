// SPDX-License-Identifier: Apache-2.0
import Foundation
import TestSupport
import Testing

@testable import suzu

/// Tests the sequences that draw pictures, with readers that know the specifications and not the writers.
@Suite struct PictureSequenceTests {
  // MARK: Sixel

  /// A reader of sixels: the colour of each pixel, in percent; nil where nothing was drawn.
  private struct SixelReader {
    var pixels: [[(Int, Int, Int)?]] = []
    var width = 0, height = 0
    var colours = 0

    init(_ bytes: [UInt8]) throws {
      let text = String(decoding: bytes, as: UTF8.self)
      let start = try #require(text.firstMatch(of: /^\x1BP0;1;0q"1;1;(\d+);(\d+)/))
      (width, height) = (Int(start.1) ?? 0, Int(start.2) ?? 0)
      try #require(text.hasSuffix("\u{1B}\\"))
      pixels = Array(repeating: Array(repeating: nil, count: width), count: (height + 5) / 6 * 6)
      var palette: [Int: (Int, Int, Int)] = [:]
      var (colour, column, top, count) = (0, 0, 0, 1)
      var rest = text[start.range.upperBound...].dropLast(2)
      while let character = rest.first {
        if let set = rest.prefixMatch(of: /#(\d+);2;(\d+);(\d+);(\d+)/) {
          palette[try #require(Int(set.1))] = (Int(set.2) ?? -1, Int(set.3) ?? -1, Int(set.4) ?? -1)
          rest = rest[set.range.upperBound...]
        } else if let choice = rest.prefixMatch(of: /#(\d+)/) {
          colour = try #require(Int(choice.1))
          rest = rest[choice.range.upperBound...]
        } else if let run = rest.prefixMatch(of: /!(\d+)/) {
          count = try #require(Int(run.1))
          rest = rest[run.range.upperBound...]
        } else if character == "$" || character == "-" {
          column = 0
          if character == "-" { top += 6 }
          rest = rest.dropFirst()
        } else {
          let value = try #require(character.asciiValue)
          try #require(0x3F...0x7E ~= value, "\(character)")
          for _ in 0..<count {
            for bit in 0..<6 where (value - 0x3F) >> UInt8(bit) & 1 == 1 {
              let known = palette[colour]
              try #require(known != nil)
              pixels[top + bit][column] = known
            }
            column += 1
          }
          count = 1
          rest = rest.dropFirst()
        }
      }
      colours = palette.count
    }
  }

  @Test func `Sixels have the colours of the picture, and nothing where it is invisible`() throws {
    let reader = try SixelReader(SixelEncoder.sequence(for: PictureSamples.squares(20), colours: 256))
    #expect(reader.width == 20 && reader.height == 20 && reader.colours == 3)
    for row in 0..<24 {
      for column in 0..<20 {
        let expected = row < 20 ? PictureSamples.squares(column, row, of: 20) : (0, 0, 0, 0)
        let drawn = reader.pixels[row][column]
        if expected.3 == 0 {
          #expect(drawn == nil)
        } else {
          #expect(
            drawn.map { [$0.0, $0.1, $0.2] }
              == [expected.0, expected.1, expected.2].map { Int($0) * 100 / 255 })
        }
      }
    }
    #expect(
      try SixelReader(SixelEncoder.sequence(for: PictureSamples.pixels(3, 7) { _, _ in (1, 2, 3, 0) }, colours: 16))
        .colours == 0)
  }

  private static func photograph(_ column: Int, _ row: Int) -> PictureSamples.Pixel {
    let wave = Int(sin(Double(column) / 9) * 40)
    return (UInt8(row * 3 % 256), UInt8((column * 2 + 30) % 256), UInt8(min(max(128 + wave + row / 2, 0), 255)), 255)
  }

  @Test(arguments: [(256, 7), (16, 26), (2, 100)])
  func `Few colours stand for many, close to them`(colours: Int, error: Int) throws {
    let pixels = try PictureSamples.pixels(100, 80, Self.photograph)
    let palette = ColourPalette(of: pixels, most: colours)
    #expect(palette.colours.count <= colours && palette.colours.count > colours / 2)
    var sum = 0
    for row in 0..<80 {
      for column in 0..<100 {
        let pixel = pixels[column, row]
        let colour = palette.colours[palette.index(red: pixel.red, green: pixel.green, blue: pixel.blue)]
        sum += abs(Int(colour.red) - Int(pixel.red)) + abs(Int(colour.green) - Int(pixel.green))
        sum += abs(Int(colour.blue) - Int(pixel.blue))
      }
    }
    #expect(sum / (100 * 80 * 3) <= error, "\(sum / (100 * 80 * 3))")
    #expect(try SixelReader(SixelEncoder.sequence(for: pixels, colours: colours)).colours <= colours)
  }

  private static let sixel2png = RunningProgram.path(of: "sixel2png")

  @Test(
    .enabled(if: sixel2png != nil && PNGLibrary.shared != nil, "libsixel-bin or libpng16-16 is not installed"),
    arguments: [(1, 1), (5, 7), (64, 64), (100, 80), (250, 13)])
  func `libsixel decodes what is sent`(width: Int, height: Int) throws {
    let folder = try TemporaryFolder()
    let pixels = try PictureSamples.pixels(width, height, Self.photograph)
    let sequence = SixelEncoder.sequence(for: pixels, colours: 256)
    try folder.write(String(decoding: sequence, as: UTF8.self), to: "a.six")
    let ended = try RunningProgram.run(
      "sixel2png", ["-i", folder.path("a.six"), "-o", folder.path("a.png")], environment: ["PATH": "/usr/bin:/bin"])
    #expect(ended.status == 0, "\(ended.errors)")
    let file = try #require(PNGFile(at: folder.path("a.png")))
    let read = try #require(PNGLibrary.shared?.decode(file))
    #expect(read.width == width && read.height >= height)
    var sum = 0
    for row in 0..<height {
      for column in 0..<width {
        let (sent, got) = (pixels[column, row], read[column, row])
        sum += abs(Int(sent.red) - Int(got.red)) + abs(Int(sent.green) - Int(got.green))
        sum += abs(Int(sent.blue) - Int(got.blue))
      }
    }
    #expect(sum / (width * height * 3) <= 9, "\(sum / (width * height * 3))")
  }

  // MARK: kitty

  /// A reader of kitty's sequences: the keys and the payload of each command, with the parts of a payload put together.
  private func commands(in bytes: [UInt8]) throws -> [(keys: [String: String], payload: [UInt8])] {
    var commands: [(keys: [String: String], payload: String)] = []
    var isOpen = false
    let text = String(decoding: bytes, as: UTF8.self)
    for match in text.matches(of: /\x1B_G([^;\x1B]*)(?:;([^\x1B]*))?\x1B\\/) {
      let keys = Dictionary(
        uniqueKeysWithValues: match.1.split(separator: ",").map { pair in
          let halves = pair.split(separator: "=").map(String.init)
          return (halves[0], halves[1])
        })
      let payload = match.2.map(String.init) ?? ""
      #expect(payload.utf8.count <= 4096 && keys["q"] == "2")
      if isOpen {
        #expect(Set(keys.keys) == ["q", "m"] && payload.utf8.count > 0)
        commands[commands.count - 1].payload += payload
      } else {
        commands.append((keys, payload))
      }
      isOpen = keys["m"] == "1"
      if isOpen { #expect(payload.utf8.count.isMultiple(of: 4)) }
    }
    #expect(!isOpen)
    return try commands.map { ($0.keys, Array(try #require(Data(base64Encoded: $0.payload)))) }
  }

  @Test func `kitty gets pixels in parts, and a file as it is`() throws {
    let pixels = try PictureSamples.pixels(80, 70, Self.photograph).scaled(toFit: (256, 256))
    let raw = try commands(in: KittyGraphics.transmission(of: .pixels(pixels), id: 7))
    #expect(raw.count == 1 && raw[0].payload == pixels.packed && raw[0].payload.count == 80 * 70 * 4)
    #expect(
      raw[0].keys.filter { $0.key != "m" } == [
        "a": "t", "q": "2", "i": "7", "t": "d", "f": "32", "s": "80", "v": "70",
      ])
    let bytes = PictureSamples.png(40, 40, Self.photograph)
    let file = try commands(in: KittyGraphics.transmission(of: .png(try #require(PNGFile(bytes))), id: 8))
    #expect(file.count == 1 && file[0].payload == bytes && file[0].keys["f"] == "100")
  }

  @Test func `kitty is told where a picture is, and when it goes`() throws {
    var pictures = PopupPictures()
    pictures.way = .kitty
    pictures.set(.pixels(try PictureSamples.squares(64)), of: 3)
    let cells = try #require(pictures.cells(of: 3))
    #expect((cells.columns, cells.rows) == (6, 3))
    let first = try commands(in: pictures.drawing(cells, of: 3))
    #expect(first.map(\.keys["a"]) == ["t", "p"])
    #expect(first[1].keys["c"] == "6" && first[1].keys["r"] == "3" && first[1].keys["C"] == "1")
    #expect(first[0].keys["i"] == first[1].keys["i"])
    // The terminal has it already.
    #expect(try commands(in: pictures.drawing(cells, of: 3)).map(\.keys["a"]) == ["p"])
    #expect(try commands(in: pictures.erasing(cells)).map(\.keys["d"]) == ["i"])
    pictures.remove(3)
    #expect(pictures.cells(of: 3) == nil && pictures.drawing(cells, of: 3) == [])
    let freed = try commands(in: pictures.clearing())
    #expect(freed.map(\.keys["d"]) == ["I"] && freed[0].keys["i"] == first[0].keys["i"])
    #expect(pictures.clearing() == [])
  }

  @Test func `The pictures of many popups together have a limit`() throws {
    var pictures = PopupPictures()
    pictures.way = .kitty
    let large = PopupImage.pixels(
      try PictureSamples.pixels(256, 256) { _, _ in (1, 2, 3, 255) }.scaled(toFit: (256, 256)))
    let most = PopupPictures.most / large.cost
    for id in 1...UInt32(most + 5) { pictures.set(large, of: id) }
    #expect(pictures.cells(of: UInt32(most)) != nil && pictures.cells(of: UInt32(most + 1)) == nil)
    pictures.remove(1)
    pictures.set(large, of: 9999)
    #expect(pictures.cells(of: 9999) != nil)
  }

  @Test(.enabled(if: PNGLibrary.shared != nil, "libpng16-16 is not installed"))
  func `Where pixels are needed, a damaged file has no room`() throws {
    let whole = PictureSamples.png(20, 20, Self.photograph)
    var pictures = PopupPictures()
    pictures.set(.png(try #require(PNGFile(whole))), of: 1)
    pictures.set(.png(try #require(PNGFile(Array(whole.prefix(100))))), of: 2)
    pictures.way = .sixel
    #expect(pictures.cells(of: 1) != nil && pictures.cells(of: 2) == nil)
    let cells = try #require(pictures.cells(of: 1))
    #expect(try SixelReader(pictures.drawing(cells, of: 1)).width == 20)
  }
}
