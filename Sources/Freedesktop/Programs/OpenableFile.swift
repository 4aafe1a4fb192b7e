// SPDX-License-Identifier: Apache-2.0
internal import Glibc
internal import SystemFiles

/// A file or folder that a click may open because opening only shows it, never runs it.
///
/// Checks the file that is actually opened, after resolving links, and hands on its real path.
struct OpenableFile: Hashable {
  /// Absolute, without links.
  let path: String

  init(_ url: URLText) throws(URLRefusal) {
    guard let authority = url.authority, authority.user == nil, authority.port == nil,
      authority.host.isEmpty || authority.host.lowercased() == "localhost", url.path.hasPrefix("/")
    else { throw URLRefusal("a file on another machine") }
    // xdg-open cuts them off, other programs treat them as part of the name.
    guard url.query == nil, url.fragment == nil else { throw URLRefusal("a file with a query") }
    guard let asked = String(validating: URLText.decoded(url.path), as: UTF8.self),
      asked.utf8.allSatisfy({ $0 >= 0x20 && $0 != 0x7F })
    else { throw URLRefusal("invalid file name") }
    guard !Self.runs(asked) else { throw URLRefusal("a file that starts programs") }
    path = try Self.target(of: asked)
  }

  private static func target(of asked: String) throws(URLRefusal) -> String {
    let descriptor = try opened(asked)
    guard let status = try? FileStatus(descriptor) else { throw URLRefusal("inaccessible file") }
    var target = [UInt8](repeating: 0, count: 4097)
    let count = readlink(descriptor.path, &target, target.count)
    guard count > 0, count < target.count, let path = String(validating: target[..<count], as: UTF8.self),
      path.hasPrefix("/"), path.utf8.allSatisfy({ $0 >= 0x20 && $0 != 0x7F }), leads(path, to: status)
    else { throw URLRefusal("invalid file name") }
    guard !runs(path) else { throw URLRefusal("a file that starts programs") }
    // These are interfaces to the kernel, even where they look like files.
    guard !path.hasPrefix("/proc/"), !path.hasPrefix("/sys/") else { throw URLRefusal("neither a file nor a folder") }
    switch status.kind {
    case .folder: return path
    case .regular: break
    default: throw URLRefusal("neither a file nor a folder")
    }
    guard status.permissions & 0o111 == 0 else { throw URLRefusal("an executable file") }
    try checkStart(of: descriptor)
    return path
  }

  private static func opened(_ path: String) throws(URLRefusal) -> Descriptor {
    do throws(Errno) { return try Descriptor(path, Descriptor.pathOnly) } catch {
      throw URLRefusal(error.meansNoFile ? "no such file" : "inaccessible file")
    }
  }

  /// Whether the path still names the file: the kernel's text for a deleted one is no path.
  private static func leads(_ path: String, to status: FileStatus) -> Bool {
    (try? FileStatus(path, followingLinks: false))?.isSameFile(as: status) ?? false
  }

  // MARK: By name

  /// Extensions that desktops, or their default programs, run or install on opening.
  private static let startingEndings: Set<String> = [
    "desktop", "directory", "kdelnk", "appimage", "run", "bin", "elf", "sh", "bash", "csh", "ksh", "zsh", "command",
    "py",
    "pyc", "pyw", "pyz", "pl", "rb", "jar", "jnlp", "class", "war", "exe", "com", "bat", "cmd", "msi", "msix", "scr",
    "pif",
    "lnk", "url", "website", "webloc", "vbs", "vbe", "wsf", "hta", "ps1", "reg", "cpl", "deb", "rpm", "apk", "xpi",
    "crx",
    "snap", "flatpak", "flatpakref", "flatpakrepo", "appref-ms", "plasmoid", "docm", "dotm", "xlsm", "xltm", "xlam",
    "pptm",
    "potm",
  ]

  /// Extensions of archives, compressed and backup files.
  private static let wrappingEndings: Set<String> = [
    "gz", "tgz", "bz2", "tbz", "tbz2", "xz", "txz", "lzma", "lz", "lz4", "zst", "tzst", "z", "br", "zip", "7z", "rar",
    "tar", "cpio", "ar", "iso", "img", "gpg", "pgp", "asc", "age", "bak", "old", "orig", "part",
  ]

  private static func runs(_ path: String) -> Bool {
    let name = path.split(separator: "/").last ?? ""
    // Some programs ignore trailing blanks and dots in a name.
    var endings = name.lowercased().split(separator: ".").dropFirst(name.hasPrefix(".") ? 0 : 1).map {
      $0.split(separator: " ").joined()
    }
    while let last = endings.last, last.isEmpty || wrappingEndings.contains(last) || last.hasSuffix("~") {
      let inner = last.prefix { $0 != "~" }
      if startingEndings.contains(String(inner)) { return true }
      endings.removeLast()
    }
    return endings.last.map { startingEndings.contains($0) } ?? false
  }

  // MARK: By content

  /// Some desktops look at the content of a file with an unknown extension.
  private static let starts: [[UInt8]] = [
    [0x7F] + Array("ELF".utf8), Array("MZ".utf8), Array("#!".utf8), [0xCA, 0xFE, 0xBA, 0xBE],
  ]

  private static func checkStart(of descriptor: borrowing Descriptor) throws(URLRefusal) {
    // Opens the same file even if it was renamed.
    guard let bytes = try? RegularFile(descriptor.path).read(atMost: 4096) else {
      throw URLRefusal("inaccessible file")
    }
    if starts.contains(where: { bytes.starts(with: $0) }) { throw URLRefusal("an executable file") }
    // A desktop entry may begin with any number of comments.
    let lines = String(decoding: bytes, as: UTF8.self).split(whereSeparator: \.isNewline)
    let first = lines.first { !$0.allSatisfy(\.isWhitespace) && !$0.hasPrefix("#") } ?? ""
    if first.contains("Desktop Entry]") || first.hasPrefix("[Desktop Action") || first.hasPrefix("[InternetShortcut]") {
      throw URLRefusal("a file that starts programs")
    }
  }
}
