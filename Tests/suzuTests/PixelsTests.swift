// SPDX-License-Identifier: Apache-2.0
import DBus
import Glibc
import TestSupport
import Testing

@testable import suzu

/// Tests what is read as a picture: the bytes of a hint and files, which may be anything.
@Suite struct PixelsTests {
  @Test func `The bytes of a hint are pixels, also with room between the rows`() throws {
    let rows: [UInt8] = [1, 2, 3, 4, 5, 6, 99, 99, 7, 8, 9, 10, 11, 12]
    let pixels = try #require(Pixels(hint: PictureSamples.hint(2, 2, stride: 8, opacity: false, channels: 3, rows)))
    #expect(pixels.width == 2 && pixels.height == 2)
    #expect(pixels[1, 0] == (4, 5, 6, 255) && pixels[0, 1] == (7, 8, 9, 255))
    let clear = try #require(Pixels(hint: PictureSamples.hint(1, 1, stride: 4, [1, 2, 3, 4])))
    #expect(clear[0, 0] == (1, 2, 3, 4))
  }

  @Test(arguments: [
    PictureSamples.hint(0, 1, stride: 4, [1, 2, 3, 4]), PictureSamples.hint(1, -1, stride: 4, [1, 2, 3, 4]),
    PictureSamples.hint(2, 1, stride: 4, [1, 2, 3, 4]), PictureSamples.hint(1, 2, stride: 4, [1, 2, 3, 4]),
    PictureSamples.hint(1, 1, stride: 3, [1, 2, 3, 4]), PictureSamples.hint(1, 1, stride: -4, [1, 2, 3, 4]),
    PictureSamples.hint(1, 1, stride: 4, bits: 16, [1, 2, 3, 4]),
    PictureSamples.hint(1, 1, stride: 4, channels: 3, [1, 2, 3, 4]),
    PictureSamples.hint(1, 1, stride: 4, opacity: false, [1, 2, 3, 4]),
    PictureSamples.hint(.max, .max, stride: .max, [1, 2, 3, 4]),
    PictureSamples.hint(.max, 1, stride: .max, [1, 2, 3, 4]),
    PictureSamples.hint(1, .max, stride: 4, [1, 2, 3, 4]), PictureSamples.hint(65_536, 65_536, stride: 262_144, []),
    .structure([.int32(1)]), .bytes([1, 2, 3, 4]), "x",
  ])
  func `Numbers that do not fit are no picture`(hint: Value) {
    #expect(Pixels(hint: hint) == nil)
  }

  @Test(arguments: [
    ((100, 50), (10, 10), (10, 5)), ((50, 100), (10, 10), (5, 10)), ((4, 4), (10, 10), (4, 4)),
    ((1000, 1), (10, 10), (10, 1)), ((1, 1000), (10, 10), (1, 10)), ((3, 2), (2, 2), (2, 1)),
  ])
  func `A picture is made smaller with its proportions, and never larger`(
    size: (Int, Int), limit: (Int, Int), expected: (Int, Int)
  ) throws {
    let pixels = try PictureSamples.pixels(size.0, size.1) { _, _ in (9, 8, 7, 255) }
    let scaled = pixels.scaled(toFit: limit)
    #expect((scaled.width, scaled.height) == expected)
    #expect(scaled[expected.0 - 1, expected.1 - 1] == (9, 8, 7, 255))
  }

  @Test func `Invisible pixels add no colour, and the mean of the visible ones is kept`() throws {
    let pixels = try PictureSamples.pixels(2, 2) { column, _ in
      column == 0 ? (200, 100, 0, 255) : (0, 0, 255, 0)
    }
    #expect(pixels.scaled(toFit: (1, 1))[0, 0] == (200, 100, 0, 127))
    let squares = try PictureSamples.squares(64).scaled(toFit: (2, 2))
    #expect(squares[0, 0] == (255, 0, 0, 255) && squares[1, 0] == (0, 255, 0, 255))
    #expect(squares[0, 1] == (0, 0, 255, 255) && squares[1, 1].opacity == 0)
    #expect(squares.packed.count == 16)
  }

  // MARK: Files

  private static let file = PictureSamples.png(8, 8) { PictureSamples.squares($0, $1, of: 8) }

  @Test(.enabled(if: PNGLibrary.shared != nil, "libpng16-16 is not installed"))
  func `libpng decodes what the specification describes`() throws {
    let file = try #require(PNGFile(Self.file))
    #expect(file.width == 8 && file.height == 8)
    let pixels = try #require(PNGLibrary.shared?.decode(file))
    let expected = try PictureSamples.squares(8)
    for row in 0..<8 {
      for column in 0..<8 { #expect(pixels[column, row] == expected[column, row]) }
    }
  }

  @Test(.enabled(if: PNGLibrary.shared != nil, "libpng16-16 is not installed"))
  func `Damaged files are no pictures`() throws {
    var numbers = SeededNumbers(seed: 18)
    for length in stride(from: 34, to: Self.file.count - 16, by: 3) {
      let file = try #require(PNGFile(Array(Self.file.prefix(length))))
      #expect(PNGLibrary.shared?.decode(file) == nil, "\(length)")
    }
    for _ in 0..<500 {
      var bytes = Self.file
      for _ in 0..<4 { bytes[.random(in: 24..<bytes.count, using: &numbers)] = .random(in: 0...255, using: &numbers) }
      // Nothing but an end in time, without more memory than the header says.
      if let file = PNGFile(bytes), let pixels = PNGLibrary.shared?.decode(file) {
        #expect(pixels.width == 8 && pixels.height == 8)
      }
    }
  }

  @Test(arguments: [(0, 1), (1, 0), (30_000, 30_000), (.max, .max), (1, .max), (4096, 1025)] as [(UInt32, UInt32)])
  func `A header that promises too many pixels is refused before any memory`(width: UInt32, height: UInt32) {
    let bytes = Array(Self.file.prefix(8)) + PictureSamples.header(width, height) + Self.file.dropFirst(33)
    #expect(PNGFile(bytes) == nil)
  }

  @Test func `Only regular files of a permitted size are read`() throws {
    let folder = try TemporaryFolder()
    let path = folder.path("a.png")
    try Self.write(Self.file, to: path)
    #expect(PNGFile(at: path)?.width == 8)
    #expect(PNGFile(at: "a.png") == nil && PNGFile(at: folder.path("none.png")) == nil)
    #expect(mkfifo(folder.path("pipe.png"), 0o600) == 0 && PNGFile(at: folder.path("pipe.png")) == nil)
    #expect(symlink("/dev/zero", folder.path("zero.png")) == 0 && PNGFile(at: folder.path("zero.png")) == nil)
    try folder.write("GIF89a, a longer text than a header has", to: "b.png")
    #expect(PNGFile(at: folder.path("b.png")) == nil && PNGFile([]) == nil)
    // Sparse: it takes no room, and is not read.
    #expect(truncate(path, off_t(PNGFile.longest) + 1) == 0 && PNGFile(at: path) == nil)
  }

  static func write(_ bytes: [UInt8], to path: String) throws {
    let file = open(path, O_WRONLY | O_CREAT | O_EXCL, 0o600)
    try #require(file >= 0)
    defer { close(file) }
    #expect(Glibc.write(file, bytes, bytes.count) == bytes.count)
  }

  @Test func `A name is found among the icons of the user before those of the system`() throws {
    let folder = try TemporaryFolder()
    func environment(_ name: String) -> String? {
      ["XDG_DATA_HOME": folder.path("own"), "XDG_DATA_DIRS": folder.path("share") + ":relative"][name]
    }
    func path(_ name: String) -> String? { ThemeIcon.path(of: name, in: environment) }
    #expect(path("bell") == nil)
    try folder.write("", to: "share/pixmaps/bell.png")
    #expect(path("bell") == folder.path("share/pixmaps/bell.png"))
    try folder.write("", to: "share/icons/hicolor/16x16/apps/bell.png")
    try folder.write("", to: "share/icons/hicolor/48x48/status/bell.png")
    #expect(path("bell") == folder.path("share/icons/hicolor/48x48/status/bell.png"))
    try folder.write("", to: "own/icons/hicolor/32x32/apps/bell.png")
    #expect(path("bell") == folder.path("own/icons/hicolor/32x32/apps/bell.png"))
    for bad in ["", "../pixmaps/bell", ".bell", "a/b", "bell\0", String(repeating: "a", count: 129)] {
      #expect(path(bad) == nil, "\(bad)")
    }
  }
}
