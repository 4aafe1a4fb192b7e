// SPDX-License-Identifier: Apache-2.0

/// Which URLs a click may open. The requesting program chose the URL, and the user sees only a button.
public struct URLPolicy: Sendable {
  /// Schemes that need no permission: none of them runs code where it is opened.
  public static let usualSchemes: Set<String> = ["http", "https", "mailto", "tel", "sms", "xmpp", "geo"]

  /// Schemes that can never be allowed: they contain code, a page or another URL, or lead into a browser's own pages.
  /// `file` has its own rules.
  public static let forbiddenSchemes: Set<String> = [
    "javascript", "livescript", "mocha", "vbscript", "data", "blob", "filesystem", "about", "jar", "view-source",
    "feed",
    "pcast", "wyciwyg", "resource", "chrome", "chrome-extension", "chrome-search", "chrome-untrusted", "devtools",
    "edge",
    "moz-extension", "moz-icon", "moz-safe-about", "file", "mk", "mhtml", "ms-its", "res", "shell", "search-ms",
    "ms-msdt",
  ]

  /// Schemes that only the user can allow, not an application that declares them: folders of other machines, whose
  /// files then count as local ones, terminals, and root access.
  public static let remoteSchemes: Set<String> = [
    "smb", "cifs", "nfs", "dav", "davs", "webdav", "webdavs", "sftp", "ftp", "ftps", "fish", "afp", "afc", "mtp",
    "admin",
    "ssh", "telnet", "rlogin", "rdp", "vnc", "spice", "trash", "recent", "computer", "network", "burn",
  ]

  /// Additional schemes that the user allows.
  public var added: Set<String>
  /// Whether `file:` may be opened: true if the caller can read the user's files anyway.
  public var allowsFiles: Bool
  /// The schemes that installed applications declare; called only for a scheme that is on no list, because it reads all
  /// entries.
  public var declaredSchemes: @Sendable () -> Set<String>

  /// Makes a policy.
  public init(
    added: Set<String> = [], allowsFiles: Bool = false, declaredSchemes: @escaping @Sendable () -> Set<String> = { [] }
  ) {
    self.added = Set(added.map { $0.lowercased() })
    self.allowsFiles = allowsFiles
    self.declaredSchemes = declaredSchemes
  }

  /// The text to hand to the opener: `text` itself, a mail URL without forbidden fields, or the path of a file.
  public func check(_ text: String) throws(URLRefusal) -> String {
    let url = try URLText(text)
    if url.scheme == "file", allowsFiles { return try OpenableFile(url).path }
    guard allows(url.scheme) else { throw Self.refusal(of: url.scheme) }
    switch url.scheme {
    case "http", "https": try Self.checkWeb(url)
    case "mailto": return try MailURL(url).text
    default: try checkOther(url)
    }
    return text
  }

  /// Whether URLs of the scheme, in lower case, may be opened if they are valid.
  public func allows(_ scheme: String) -> Bool {
    if Self.forbiddenSchemes.contains(scheme) { return false }
    if Self.usualSchemes.contains(scheme) || added.contains(scheme) { return true }
    return !Self.remoteSchemes.contains(scheme) && declaredSchemes().contains(scheme)
  }

  private static func refusal(of scheme: String) -> URLRefusal {
    // A longer text is not a scheme, but probably something private in front of a colon.
    URLRefusal(scheme.utf8.count <= 32 ? "scheme '\(scheme)'" : "an unknown scheme")
  }

  /// Browsers repair nearly any URL, each in its own way; here it must be valid.
  private static func checkWeb(_ url: URLText) throws(URLRefusal) {
    guard let authority = url.authority, !authority.host.isEmpty else { throw URLRefusal("no host") }
    // Credentials are never needed, and the text before the @ looks like the host.
    guard authority.user == nil else { throw URLRefusal("credentials in the URL") }
    if authority.host.hasPrefix("[") { return }
    let labels = authority.host.split(separator: ".", omittingEmptySubsequences: false)
    // The last label may be empty: a fully qualified name.
    let isName = labels.enumerated().allSatisfy { index, label in
      label.isEmpty ? index > 0 && index == labels.count - 1 : label.utf8.allSatisfy(isHostByte)
    }
    guard isName, authority.host.utf8.count <= 254, !authority.host.hasPrefix("-") else {
      throw URLRefusal("invalid host")
    }
  }

  private static func isHostByte(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "_"):
      true
    default: false
    }
  }

  private func checkOther(_ url: URLText) throws(URLRefusal) {
    // `tweetbot://` only starts its program, which a user who added the scheme knows.
    guard added.contains(url.scheme) || url.rest.contains(where: { $0 != "/" }) else {
      throw URLRefusal("nothing after the scheme")
    }
    guard let authority = url.authority else { return }
    guard authority.user?.contains(":") != true else { throw URLRefusal("credentials in the URL") }
    // Some programs take such a host or user for an option.
    for part in [authority.user, authority.host] {
      if let part, URLText.decoded(part).first == UInt8(ascii: "-") { throw URLRefusal("invalid host") }
    }
  }
}
