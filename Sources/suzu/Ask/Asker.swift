// SPDX-License-Identifier: Apache-2.0
internal import Glibc
internal import NotificationModel
internal import SystemFiles

/// The program that asks, for the history.
struct Asker: Equatable {
  /// The name of the script or program; nil if it is not known.
  let name: String?
  let folder: String?

  /// The process that started this one.
  static func current() -> Asker {
    let folder = getcwd(nil, 0).map { path in
      defer { free(path) }
      return String(cString: path)
    }
    return Asker(name: name(commandLine: read("/proc/\(getppid())/cmdline")), folder: folder)
  }

  /// The name in a command line, whose words end with a NUL: the script of an interpreter, else the program. Arguments
  /// are not for the history: they may be secret.
  static func name(commandLine: [UInt8]) -> String? {
    let words = commandLine.split(separator: 0, omittingEmptySubsequences: false).prefix(2).map {
      String(decoding: $0, as: UTF8.self)
    }
    guard let first = words.first, !first.isEmpty else { return nil }
    let program = lastPart(first.first == "-" ? String(first.dropFirst()) : first)
    if words.count > 1, interpreters.contains(String(program.prefix { !$0.isNumber })), !words[1].isEmpty,
      !words[1].hasPrefix("-")
    {
      return lastPart(words[1])
    }
    return program
  }

  private static func lastPart(_ path: String) -> String {
    PrintableText.line(path.split(separator: "/").last.map(String.init) ?? path, atMost: 100)
  }

  private static let interpreters: Set<String> = [
    "sh", "bash", "dash", "zsh", "ksh", "fish", "python", "perl", "ruby", "node", "php", "lua", "osh",
  ]

  private static func read(_ path: String) -> [UInt8] {
    do throws(Errno) { return try Descriptor(path, O_RDONLY).read(4096) } catch { return [] }
  }

  /// The values that listings show.
  static let key = "askedBy"

  var userInfo: PlainValue {
    var words: [String: PlainValue] = [:]
    words[Self.key] = name.map { .text($0) }
    words["folder"] = folder.map { .text($0) }
    return .dictionary(words)
  }
}

extension ListedRequest {
  /// Who asked it, if `suzu ask` did.
  var askedBy: String? {
    guard case .dictionary(let words)? = words["userInfo"], case .text(let name)? = words[Asker.key] else { return nil }
    return name
  }
}
