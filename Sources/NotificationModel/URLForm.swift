// SPDX-License-Identifier: Apache-2.0

let urlForm = "a URL such as 'https://example.org/', at most 2048 bytes, without blanks"

/// Accepts a URL by its form: a scheme, a colon, and nothing that a browser's command line could misread; `mailto:` and
/// `sms:` are complete. It may be a ``Template`` with a literal scheme. Whether any other scheme may be
/// opened is decided at the click.
func checkURL(_ text: String) throws(RequestError) -> String {
  _ = try Template(text)
  let scheme = text.prefix { $0 != ":" }
  let isScheme =
    scheme.first.map { $0.isASCII && $0.isLetter } == true
    && scheme.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || "+-.".contains($0)) }
  // A bare `http:` or `https:` has nothing to open.
  let isWhole = text.utf8.count > scheme.utf8.count + 1 || !["http", "https"].contains(scheme.lowercased())
  let isPlain = text.unicodeScalars.allSatisfy { $0.value > 32 && $0.value != 127 }
  guard isScheme, isPlain, isWhole, text.utf8.count > scheme.utf8.count, text.utf8.count <= 2048 else {
    throw RequestError("", "must be \(urlForm), not \(text.quoted)")
  }
  guard !neverOpenedSchemes.contains(scheme.lowercased()) else {
    throw RequestError("", "has the scheme '\(scheme.lowercased())', which a click never opens")
  }
  return text
}

/// The schemes that nothing can allow: they contain code, a page or another URL, or lead into a browser's own pages.
/// The center refuses them again at the click.
package let neverOpenedSchemes: Set<String> = [
  "javascript", "livescript", "mocha", "vbscript", "data", "blob", "filesystem", "about", "jar", "view-source", "feed",
  "pcast", "wyciwyg", "resource", "chrome", "chrome-extension", "chrome-search", "chrome-untrusted", "devtools", "edge",
  "moz-extension", "moz-icon", "moz-safe-about", "mk", "mhtml", "ms-its", "res", "shell", "search-ms", "ms-msdt",
]
