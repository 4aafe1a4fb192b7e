// SPDX-License-Identifier: Apache-2.0
internal import Freedesktop
internal import NotificationModel
internal import SystemFiles

/// The texts by which a particular server finds the pictures of a request.
struct ServerPictures {
  /// The argument `app_icon`; empty for none.
  let icon: String
  /// The hint `image-path`.
  let image: String?

  init(_ content: borrowing NotificationRequest.Content, on server: KnownServer) {
    icon = content.icon.map { server.takesIconURLs ? Self.url($0) : $0.text } ?? ""
    guard server.takesImagePaths else {
      image = content.image.map(Self.url)
      return
    }
    switch content.image {
    case .file(let path): image = path
    case .url(let url): image = PercentCoding.decodedText(url.dropFirst("file://".count))
    // Without an icon it is drawn in the icon's place.
    case .named(let name): image = icon.isEmpty ? name : nil
    case nil: image = nil
    }
  }

  /// A path as a file URL, as the specification requires; names and URLs do not change.
  private static func url(_ picture: Picture) -> String {
    guard case .file(let path) = picture else { return picture.text }
    return path.utf8.reduce(into: "file://") { url, byte in
      let isPlain =
        byte < 0x80 && (Character(Unicode.Scalar(byte)).isLetter || Character(Unicode.Scalar(byte)).isNumber)
      if isPlain || "/-._~".utf8.contains(byte) {
        url.unicodeScalars.append(Unicode.Scalar(byte))
      } else {
        url += "%" + (byte < 16 ? "0" : "") + String(byte, radix: 16, uppercase: true)
      }
    }
  }
}
