// SPDX-License-Identifier: Apache-2.0

/// Which URLs a click may open. Whoever asked for the notification has chosen the URL, and the user sees a button only.
public struct URLPolicy: Sendable {
  /// What may be opened without asking anybody: nothing that runs code where it is opened.
  public static let usualSchemes: Set<String> = ["http", "https", "mailto", "tel", "sms", "xmpp", "geo"]

  /// What nobody can allow: schemes that carry code or a page with them, or lead to another URL inside, or into a
  /// browser's own pages. `file` has rules of its own.
  public static let forbiddenSchemes: Set<String> = [
    "javascript", "livescript", "mocha", "vbscript", "data", "blob", "filesystem", "about", "jar", "view-source",
    "feed",
    "pcast", "wyciwyg", "resource", "chrome", "chrome-extension", "chrome-search", "chrome-untrusted", "devtools",
    "edge",
    "moz-extension", "moz-icon", "moz-safe-about", "file", "mk", "mhtml", "ms-its", "res", "shell", "search-ms",
    "ms-msdt",
  ]

  /// What only the user can allow, and no application that says it opens them: folders of other machines, whose files
  /// then count as local ones, whole terminals, and the right of root.
  public static let remoteSchemes: Set<String> = [
    "smb", "cifs", "nfs", "dav", "davs", "webdav", "webdavs", "sftp", "ftp", "ftps", "fish", "afp", "afc", "mtp",
    "admin",
    "ssh", "telnet", "rlogin", "rdp", "vnc", "spice", "trash", "recent", "computer", "network", "burn",
  ]

  /// What the user allows besides.
  public var added: Set<String>
  /// Whether `file:` may be opened: the asker can read the user's files anyway.
  public var allowsFiles: Bool
  /// The schemes that installed applications declare; asked only about a scheme that is on no list, because it looks
  /// through all applications.
  public var declaredSchemes: @Sendable () -> Set<String>

  /// A policy.
  public init(
    added: Set<String> = [], allowsFiles: Bool = false, declaredSchemes: @escaping @Sendable () -> Set<String> = { [] }
  ) {
    self.added = Set(added.map { $0.lowercased() })
    self.allowsFiles = allowsFiles
    self.declaredSchemes = declaredSchemes
  }

  /// What may be handed to the opener in the place of `text`: the same, a mail without what it may not bring along, or
  /// the path of a file.
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

  private func allows(_ scheme: String) -> Bool {
    if Self.forbiddenSchemes.contains(scheme) { return false }
    if Self.usualSchemes.contains(scheme) || added.contains(scheme) { return true }
    return !Self.remoteSchemes.contains(scheme) && declaredSchemes().contains(scheme)
  }

  private static func refusal(of scheme: String) -> URLRefusal {
    // What is longer is not a scheme but something private in front of a colon.
    URLRefusal(scheme.utf8.count <= 32 ? "scheme '\(scheme)'" : "an unknown scheme")
  }

  /// Browsers repair nearly everything, each in its own way; here it must be right.
  private static func checkWeb(_ url: URLText) throws(URLRefusal) {
    guard let authority = url.authority, !authority.host.isEmpty else { throw URLRefusal("no host") }
    // Nobody needs them, and what is in front of the @ looks like the host.
    guard authority.user == nil else { throw URLRefusal("credentials in the URL") }
    if authority.host.hasPrefix("[") { return }
    let labels = authority.host.split(separator: ".", omittingEmptySubsequences: false)
    // The last one may be empty: a name that is complete.
    let isName = labels.enumerated().allSatisfy { index, label in
      label.isEmpty ? index > 0 && index == labels.count - 1 : label.utf8.allSatisfy(isHostByte)
    }
    guard isName, authority.host.utf8.count <= 254, !authority.host.hasPrefix("-") else {
      throw URLRefusal("a strange host")
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
    // `tweetbot://` only starts its program, which the user knows who has added the scheme.
    guard added.contains(url.scheme) || url.rest.contains(where: { $0 != "/" }) else {
      throw URLRefusal("nothing behind the scheme")
    }
    guard let authority = url.authority else { return }
    guard authority.user?.contains(":") != true else { throw URLRefusal("credentials in the URL") }
    // Programs have taken such a host, or user, for an option of theirs.
    for part in [authority.user, authority.host] {
      if let part, URLText.decoded(part).first == UInt8(ascii: "-") { throw URLRefusal("a strange host") }
    }
  }
}
