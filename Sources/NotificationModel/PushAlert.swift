// SPDX-License-Identifier: Apache-2.0

/// The texts of a push: `alert` as a text, which is the body, or as a dictionary.
struct PushAlert {
  private(set) var title: String?
  private(set) var subtitle: String?
  private(set) var body: String?

  /// Whether there is nothing to show.
  var isEmpty: Bool { title == nil && subtitle == nil && body == nil }

  init(_ aps: PushFields) throws(RequestError) {
    switch aps["alert"] {
    case nil: return
    case .dictionary(let values)?:
      let fields = PushFields(values, at: aps.name("alert"))
      title = try Self.text(fields, "title", "title-loc-key", "title-loc-args")
      subtitle = try Self.text(fields, "subtitle", "subtitle-loc-key", "subtitle-loc-args")
      body = try Self.text(fields, "body", "loc-key", "loc-args")
    case .text(let text)?: body = text.isEmpty ? nil : text
    default: throw RequestError(aps.name("alert"), "must be a string or a dictionary")
    }
    // A subtitle alone is a headline.
    if title == nil, body == nil { (title, subtitle) = (subtitle, nil) }
    if !isEmpty, title == nil { title = "" }
  }

  /// The text itself, or that of its key; see ``LocalizedFormat``. Nil for an empty one.
  private static func text(
    _ fields: PushFields, _ key: String, _ formatKey: String, _ argumentsKey: String
  ) throws(RequestError) -> String? {
    let text = try fields.words(key)
    let format = try fields.words(formatKey)
    let arguments = try fields.texts(argumentsKey)
    // The text can be read here, and the key might not.
    if let text { return text }
    guard let format else { return nil }
    guard let filled = LocalizedFormat.fill(format, with: arguments) else {
      throw RequestError(
        fields.name(formatKey), "has more than \(LocalizedFormat.longest) bytes with its arguments filled in")
    }
    return filled.isEmpty ? nil : filled
  }
}

/// The sound of a push: a name, or a dictionary for a critical one.
struct PushSound {
  private(set) var sound: Sound?
  private(set) var isCritical = false

  init(_ aps: PushFields) throws(RequestError) {
    switch aps["sound"] {
    case nil: return
    case .dictionary(let values)?:
      let fields = PushFields(values, at: aps.name("sound"))
      isCritical = try fields.flag("critical")
      _ = try fields.number("volume", in: 0...1)
      sound = try fields.words("name").map { name throws(RequestError) in try Self.named(name, fields.name("name")) }
    case .text(let name)?:
      sound = name.isEmpty ? nil : try Self.named(name, aps.name("sound"))
    default: throw RequestError(aps.name("sound"), "must be a string or a dictionary")
    }
  }

  /// A sound of the theme. An app of Apple's names a file in its bundle; the theme may have it without its ending.
  private static func named(_ name: String, _ key: String) throws(RequestError) -> Sound {
    guard !name.utf8.contains(where: { "/\\:".utf8.contains($0) || $0 < 32 || $0 == 127 }), name.utf8.first != 0x2E
    else {
      throw RequestError(key, "must be the name of a sound, not a path or a URL: a push brings no files")
    }
    let parts = name.split(separator: ".", omittingEmptySubsequences: false)
    let isFile = parts.count > 1 && fileEndings.contains(parts[parts.count - 1].lowercased())
    return Sound(isFile ? parts.dropLast().joined(separator: ".") : name)
  }

  private static let fileEndings: Set<String> = ["aif", "aiff", "caf", "m4a", "mp3", "oga", "ogg", "wav"]
}
