// SPDX-License-Identifier: Apache-2.0
internal import NotificationModel
internal import SystemFiles

/// Checks the pictures and sounds of requests before a notification server reads them: some servers hang on a pipe or
/// `/dev/urandom`, and some would fetch from the network, which reveals that the notification was read.
enum MediaFile {
  /// The largest file that a server is asked to read.
  static let longest: Int64 = 50 << 20
  /// The most pixels: decoded, each takes four bytes of the server's memory.
  static let mostPixels = 64 << 20

  /// Removes the pictures and sounds that no server should read.
  static func removeUnfit(from request: inout NotificationRequest) {
    if let icon = request.content.icon, !isPicture(icon) { request.removeIcon() }
    if let image = request.content.image, !isPicture(image) { request.removeImage() }
    if case .file(let path) = request.content.sound, header(of: path) == nil { request.removeSound() }
  }

  /// Whether it is a name in the icon theme, or a path or `file:` URL of a regular file that is not too big.
  static func isPicture(_ picture: Picture) -> Bool {
    switch picture {
    case .file(let path): isPictureFile(path)
    case .url(let url): PercentCoding.decodedText(url.dropFirst(7)).map(isPictureFile) ?? false
    case .named(let name): isName(name)
    }
  }

  private static func isName(_ text: String) -> Bool {
    let isPlain = text.utf8.allSatisfy { byte in
      switch byte {
      case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
        UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "."), UInt8(ascii: "_"), UInt8(ascii: "-"),
        UInt8(ascii: "+"):
        true
      default: false
      }
    }
    return isPlain && 1...128 ~= text.utf8.count && text.utf8.first != UInt8(ascii: ".")
  }

  private static func isPictureFile(_ path: String) -> Bool {
    guard let bytes = header(of: path) else { return false }
    // Only a PNG header gives the size; for other formats, the server's own limits have to do.
    guard bytes.starts(with: [0x89, 0x50, 0x4e, 0x47]), bytes.count >= 24 else { return true }
    func number(_ start: Int) -> Int { bytes[start..<start + 4].reduce(0) { $0 << 8 | Int($1) } }
    let (pixels, overflowed) = number(16).multipliedReportingOverflow(by: number(20))
    return !overflowed && pixels <= mostPixels
  }

  /// The first bytes of a regular file; nil if it is not one, or too long, or not readable: then the server could not
  /// read it either.
  private static func header(of path: String) -> [UInt8]? {
    do throws(FileError) {
      let file = try RegularFile(path)
      guard file.status.size <= longest else { return nil }
      return try? file.read(atMost: 24)
    } catch {
      if case .system = error { return [] }
      return nil
    }
  }
}
