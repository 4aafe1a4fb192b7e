// SPDX-License-Identifier: Apache-2.0
internal import Glibc

/// libpng, which decodes pictures for terminals that cannot, and those that are too large to be sent as they are.
///
/// Loaded for the first such picture, and not linked: with zlib behind it, it would be loaded at the start of every
/// `suzu notify`. Its simplified interface, which has been the same since version 1.6, needs no structures but one.
struct PNGLibrary: Sendable {
  private typealias Begin = @convention(c) (UnsafeMutableRawPointer, UnsafeRawPointer?, Int) -> Int32
  private typealias Finish =
    @convention(c) (
      UnsafeMutableRawPointer, UnsafeRawPointer?, UnsafeMutableRawPointer?, Int32, UnsafeMutableRawPointer?
    ) -> Int32
  private typealias Free = @convention(c) (UnsafeMutableRawPointer) -> Void

  private let begin: Begin
  private let finish: Finish
  private let free: Free

  /// Nil if it is not installed. It stays loaded until the program ends.
  static let shared = PNGLibrary()

  private init?() {
    guard let library = dlopen("libpng16.so.16", RTLD_NOW | RTLD_LOCAL),
      let begin = dlsym(library, "png_image_begin_read_from_memory"),
      let finish = dlsym(library, "png_image_finish_read"), let free = dlsym(library, "png_image_free")
    else { return nil }
    // The types are those in the header of libpng 1.6, which the file name stands for.
    self.begin = unsafeBitCast(begin, to: Begin.self)
    self.finish = unsafeBitCast(finish, to: Finish.self)
    self.free = unsafeBitCast(free, to: Free.self)
  }

  /// `png_image` of png.h: a pointer, seven numbers of four bytes, and a text of 64 bytes.
  private enum Image {
    static let size = 104
    static let version = 8, width = 12, height = 16, format = 20
    /// `PNG_IMAGE_VERSION`
    static let currentVersion: UInt32 = 1
    /// `PNG_FORMAT_RGBA`
    static let colourAndOpacity: UInt32 = 3
  }

  /// The decoded picture; nil if the file is damaged.
  func decode(_ file: PNGFile) -> Pixels? {
    let image = UnsafeMutableRawPointer.allocate(byteCount: Image.size, alignment: 8)
    defer { image.deallocate() }
    image.initializeMemory(as: UInt8.self, repeating: 0, count: Image.size)
    image.storeBytes(of: Image.currentVersion, toByteOffset: Image.version, as: UInt32.self)
    // libpng reads from these bytes until it is finished.
    return file.bytes.withUnsafeBytes { bytes -> Pixels? in
      guard begin(image, bytes.baseAddress, bytes.count) != 0 else { return nil }
      // Does nothing after `finish`, which frees it itself.
      defer { free(image) }
      let width = Int(image.load(fromByteOffset: Image.width, as: UInt32.self))
      let height = Int(image.load(fromByteOffset: Image.height, as: UInt32.self))
      // The room below is that of the header which this program has read.
      guard width == file.width, height == file.height else { return nil }
      image.storeBytes(of: Image.colourAndOpacity, toByteOffset: Image.format, as: UInt32.self)
      var pixels = [UInt8](repeating: 0, count: width * height * 4)
      let result = pixels.withUnsafeMutableBytes { finish(image, nil, $0.baseAddress, Int32(width * 4), nil) }
      guard result != 0 else { return nil }
      return Pixels(width: width, height: height, stride: width * 4, channels: 4, bytes: pixels)
    }
  }
}
