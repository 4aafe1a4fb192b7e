// SPDX-License-Identifier: Apache-2.0
internal import Foundation

/// The type of an attachment.
struct AttachmentType {
  /// The kinds, with the largest size of each.
  enum Kind: Int {
    case audio = 5_000_000
    case image = 10_000_000
    case film = 50_000_000
  }

  let identifier: String
  let kind: Kind

  private static let types: [(endings: Set<String>, identifier: String, kind: Kind)] = [
    (["png"], "public.png", .image),
    (["jpg", "jpeg", "jpe"], "public.jpeg", .image),
    (["gif"], "com.compuserve.gif", .image),
    (["svg"], "public.svg-image", .image),
    (["webp"], "org.webmproject.webp", .image),
    (["heic"], "public.heic", .image),
    (["tif", "tiff"], "public.tiff", .image),
    (["bmp"], "com.microsoft.bmp", .image),
    (["aif", "aiff", "aifc"], "public.aiff-audio", .audio),
    (["wav"], "com.microsoft.waveform-audio", .audio),
    (["mp3"], "public.mp3", .audio),
    (["m4a"], "public.mpeg-4-audio", .audio),
    (["oga", "ogg", "opus"], "org.xiph.ogg-audio", .audio),
    (["flac"], "org.xiph.flac", .audio),
    (["mp4", "m4v"], "public.mpeg-4", .film),
    (["mpg", "mpeg"], "public.mpeg", .film),
    (["mov"], "com.apple.quicktime-movie", .film),
    (["avi"], "public.avi", .film),
    (["webm"], "org.webmproject.webm", .film),
  ]

  init(_ url: URL, hint: String?) throws(UNError) {
    guard url.isFileURL, !url.path.isEmpty else {
      throw UNError(.attachmentInvalidURL, "an attachment must be a file, not \(url.absoluteString)")
    }
    var isFolder: ObjCBool = false
    guard FileManager.default.fileExists(atPath: url.path, isDirectory: &isFolder), !isFolder.boolValue,
      FileManager.default.isReadableFile(atPath: url.path)
    else { throw UNError(.attachmentInvalidURL, "the attachment '\(url.path)' is no file that can be read") }
    let ending = url.pathExtension.lowercased()
    let found =
      hint.flatMap { hint in Self.types.first { $0.identifier == hint || $0.endings.contains(hint.lowercased()) } }
      ?? Self.types.first { $0.endings.contains(ending) }
    guard let found else {
      throw UNError(
        .attachmentUnrecognizedType,
        "the attachment '\(url.path)' is of an unknown type; give \(UNNotificationAttachmentOptionsTypeHintKey)")
    }
    (identifier, kind) = (found.identifier, found.kind)
  }

  /// The kind of a type; nil for an unknown one.
  static func kind(of identifier: String) -> Kind? { types.first { $0.identifier == identifier }?.kind }

  func checkSize(of url: URL) throws(UNError) {
    let size = (try? FileManager.default.attributesOfItem(atPath: url.path)[.size] as? NSNumber)?.intValue ?? 0
    guard size <= kind.rawValue else {
      throw UNError(
        .attachmentInvalidFileSize,
        "the attachment '\(url.path)' has \(size) bytes; at most \(kind.rawValue) are allowed for its type")
    }
  }
}
