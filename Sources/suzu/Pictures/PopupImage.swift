// SPDX-License-Identifier: Apache-2.0
internal import DBus
internal import Freedesktop
internal import SystemFiles

/// The picture of a popup, as small as it may be drawn.
enum PopupImage: Equatable, Sendable {
  case pixels(Pixels)
  /// Sent as it is to a terminal that decodes it.
  case png(PNGFile)

  /// The largest size in which a picture is kept.
  static let largest = (width: 256, height: 256)
  /// A longer file is decoded and kept in that size, so that a link to the terminal does not carry more.
  static let longestFile = 128 << 10

  /// The picture that a notification shows, in the order of the specification
  /// (https://specifications.freedesktop.org/notification-spec/1.2/icons-and-images.html): of the bytes of an image,
  /// its path, and the icon, the first that can be drawn.
  init?(_ notification: ServerNotification) {
    let hints = notification.hints
    let sources: [() -> PopupImage?] = [
      { (hints["image-data"] ?? hints["image_data"]).flatMap(Self.init(hint:)) },
      { (hints["image-path"] ?? hints["image_path"])?.string.flatMap(Self.init(named:)) },
      { PopupImage(named: notification.icon) },
      { hints["icon_data"].flatMap(Self.init(hint:)) },
    ]
    for source in sources {
      guard let image = source() else { continue }
      self = image
      return
    }
    return nil
  }

  private init?(hint: Value) {
    guard let pixels = Pixels(hint: hint) else { return nil }
    self = .pixels(pixels.scaled(toFit: Self.largest))
  }

  /// A path, a file URL or the name of an icon.
  private init?(named text: String) {
    guard !text.isEmpty, let path = Self.path(of: text), let file = PNGFile(at: path) else { return nil }
    let image = PopupImage.png(file)
    guard let image = file.bytes.count > Self.longestFile ? image.decoded : image else { return nil }
    self = image
  }

  private static func path(of text: String) -> String? {
    if text.hasPrefix("/") { return text }
    if text.hasPrefix("file:///") { return PercentCoding.decodedText(text.dropFirst("file://".count)) }
    return ThemeIcon.path(of: text)
  }

  var size: (width: Int, height: Int) {
    switch self {
    case .pixels(let pixels): (pixels.width, pixels.height)
    case .png(let file): (file.width, file.height)
    }
  }

  /// The bytes that it takes in memory, about.
  var cost: Int {
    switch self {
    case .pixels(let pixels): pixels.packed.count
    case .png(let file): file.bytes.count
    }
  }

  /// As pixels; nil if it cannot be decoded, or if libpng is not installed.
  var decoded: PopupImage? {
    guard case .png(let file) = self else { return self }
    return PNGLibrary.shared?.decode(file).map { .pixels($0.scaled(toFit: Self.largest)) }
  }
}
