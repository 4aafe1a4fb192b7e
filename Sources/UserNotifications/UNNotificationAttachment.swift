// SPDX-License-Identifier: Apache-2.0
public import Foundation

/// An option of an attachment: its uniform type identifier, such as `public.png`, if the name of the file does not
/// tell.
public let UNNotificationAttachmentOptionsTypeHintKey = "UNNotificationAttachmentOptionsTypeHintKey"
/// An option of an attachment: whether it has no thumbnail; such an image is not shown.
public let UNNotificationAttachmentOptionsThumbnailHiddenKey = "UNNotificationAttachmentOptionsThumbnailHiddenKey"
/// An option of an attachment: the part of the image that the thumbnail shows. Kept for the app, without effect.
public let UNNotificationAttachmentOptionsThumbnailClippingRectKey =
  "UNNotificationAttachmentOptionsThumbnailClippingRectKey"
/// An option of an attachment: the frame of a film that the thumbnail shows. Kept for the app, without effect.
public let UNNotificationAttachmentOptionsThumbnailTimeKey = "UNNotificationAttachmentOptionsThumbnailTimeKey"

/// A file of a notification. The first image of a content is shown; the app gets all of them back.
///
/// When the request is added, the file is copied into the data of the app, so that it still exists when the date comes.
/// On Apple's systems it is moved.
open class UNNotificationAttachment: NSObject, NSCopying, NSSecureCoding, @unchecked Sendable {
  // @unchecked: all properties are constants.

  private let own: (identifier: String, url: URL, type: String)

  /// The identifier within the content.
  open var identifier: String { own.identifier }
  /// The file.
  open var url: URL { own.url }
  /// The uniform type identifier, such as `public.png`.
  open var type: String { own.type }
  /// Whether its thumbnail is shown.
  let isShown: Bool
  /// The options, as far as they can be kept.
  let options: KeptValues

  /// Creates an attachment; without an identifier, it gets one. Throws a ``UNError`` if there is no such file, or if it
  /// is too large or of an unknown type.
  public convenience init(identifier: String, url: URL, options: [AnyHashable: Any]? = nil) throws {
    let type = try AttachmentType(url, hint: options?[UNNotificationAttachmentOptionsTypeHintKey] as? String)
    try type.checkSize(of: url)
    self.init(
      identifier.isEmpty ? UUID().uuidString : identifier, url.standardizedFileURL, type.identifier,
      KeptValues(checked: options ?? [:]))
  }

  init(_ identifier: String, _ url: URL, _ type: String, _ options: KeptValues) {
    own = (identifier, url, type)
    self.options = options
    isShown = options[UNNotificationAttachmentOptionsThumbnailHiddenKey] != true
    super.init()
  }

  /// The same attachment as another file.
  func at(_ url: URL) -> UNNotificationAttachment { UNNotificationAttachment(identifier, url, type, options) }

  // MARK: Keeping

  convenience init?(kept: KeptValues) {
    guard let identifier = kept.text("identifier"), let path = kept.text("path") else { return nil }
    self.init(
      identifier, URL(fileURLWithPath: path), kept.text("type") ?? "", kept.values("options") ?? KeptValues())
  }

  var kept: KeptValues {
    KeptValues([
      "identifier": identifier, "path": url.path, "type": type,
      "options": options.values.isEmpty ? nil : options.values,
    ])
  }

  /// Decodes an attachment.
  public required convenience init?(coder: NSCoder) {
    guard let kept = KeptValues(coder) else { return nil }
    self.init(kept: kept)
  }

  /// Attachments can be archived.
  open class var supportsSecureCoding: Bool { true }
  /// Archives the attachment, without the content of its file.
  open func encode(with coder: NSCoder) { kept.encode(with: coder) }
  /// Returns the attachment itself, which never changes.
  open func copy(with zone: NSZone? = nil) -> Any { self }
  /// Whether both are the same file with the same options.
  open override func isEqual(_ object: Any?) -> Bool { (object as? UNNotificationAttachment)?.kept == kept }
  /// The hash of its identifier.
  open override var hash: Int { identifier.hashValue }
}
