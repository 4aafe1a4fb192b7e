// SPDX-License-Identifier: Apache-2.0

/// The user's preferred languages, best first, as written in the keys of a desktop entry.
public struct MessageLanguages: Hashable, Sendable {
  /// Such as `sr_RS@latin`, `sr_RS`, `sr@latin`, `sr`.
  public let names: [String]

  /// From an environment: `LANGUAGE`, the GNU list, takes precedence over the locale for messages.
  public init(environment: [String: String]) {
    let value = ["LANGUAGE", "LC_ALL", "LC_MESSAGES", "LANG"].lazy.compactMap { environment[$0] }.first { !$0.isEmpty }
    self.init(locales: (value ?? "C").split(separator: ":").map(String.init))
  }

  /// From locales, best first: `lang_COUNTRY.ENCODING@MODIFIER`, where only the language is required.
  public init(locales: [String]) {
    var names: [String] = []
    for name in locales.flatMap(Self.matches(of:)) where !names.contains(name) { names.append(name) }
    self.names = names
  }

  /// The keys that match a locale, in the order of the specification.
  private static func matches(of locale: String) -> [String] {
    let name = withoutEncoding(locale[...])
    let modifier = name.drop { $0 != "@" }
    let place = name.dropLast(modifier.count)
    let language = place.prefix { $0 != "_" }
    return [place + modifier, place, language + modifier, language].map(String.init)
  }

  /// The encoding is irrelevant: every entry is UTF-8.
  static func withoutEncoding(_ locale: Substring) -> String {
    guard let dot = locale.firstIndex(of: ".") else { return String(locale) }
    return String(locale[..<dot] + locale[dot...].drop { $0 != "@" })
  }
}

/// A text and its translations.
public struct LocalizedText: Hashable, Sendable {
  /// The untranslated text.
  public let plain: String?
  /// Translations by language, as in the keys of the entry, without an encoding.
  package let translations: [String: String]

  /// The best text for these languages.
  public func text(in languages: MessageLanguages) -> String? {
    languages.names.lazy.compactMap { translations[$0] }.first ?? plain
  }
}
