// SPDX-License-Identifier: Apache-2.0
internal import Glibc
internal import NotificationModel
internal import SystemFiles

/// What is kept of a command for the buttons of its notification: how to run it again, and the end of its output.
///
/// In `$XDG_STATE_HOME/suzu/runs`, readable by the user only: command lines and output may have secrets.
struct RunRecord {
  let id: String
  /// All that was typed behind `suzu run`.
  let arguments: [String]
  let folder: String
  let path: String?

  /// How many records are kept, and for how long.
  static let most = 20
  static let longest: Duration = .seconds(7 * 86400)
  /// How many bytes of output are kept of one command.
  static let longestOutput = 1 << 20

  init(id: String, arguments: [String], folder: String, path: String?) {
    (self.id, self.arguments, self.folder, self.path) = (id, arguments, folder, path)
  }

  static func newID() -> String {
    let letters = Array("abcdefghijkmnpqrstuvwxyz23456789")
    return "run-" + String((0..<8).map { _ in letters.randomElement() ?? "a" })
  }

  // MARK: The folder

  static func folder(environment: [String: String]) throws(CommandError) -> String {
    func path(_ name: String) -> String? { environment[name].flatMap { $0.hasPrefix("/") ? $0 : nil } }
    guard let state = path("XDG_STATE_HOME") ?? path("HOME").map({ $0 + "/.local/state" }) else {
      throw CommandError(message: "no folder for the output: set HOME or XDG_STATE_HOME", status: EX_CONFIG)
    }
    return state + "/suzu/runs"
  }

  private static func make(_ folder: String) throws(CommandError) {
    var made = ""
    for part in folder.split(separator: "/") {
      made += "/" + part
      guard mkdir(made, 0o700) == 0 || errno == EEXIST || access(made, F_OK) == 0 else { throw .notWritten(made) }
    }
  }

  /// The path of a file of the record.
  static func file(_ id: String, _ kind: String, in folder: String) -> String { "\(folder)/\(id).\(kind)" }

  /// Whether the text can be the id of a record: it becomes a part of a path.
  private static func isID(_ id: String) -> Bool {
    id.hasPrefix("run-") && id.utf8.count < 40
      && id.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || $0 == "-") }
  }

  // MARK: Writing

  /// Writes the record, and the output if there is any, and removes old ones.
  func write(_ output: KeptOutput?, to folder: String, now: time_t = time(nil)) throws(CommandError) {
    try Self.make(folder)
    var words: [String: PlainValue] = [
      "arguments": .list(arguments.map { .text($0) }), "folder": .text(self.folder),
    ]
    words["path"] = path.map { .text($0) }
    try Console.replace(Self.file(id, "json", in: folder), with: PlainValue.dictionary(words).json)
    if let output {
      let note = output.lost > 0 ? "[\(output.lost) bytes before this were not kept]\n" : ""
      do throws(FileError) {
        try AtomicFile(Self.file(id, "log", in: folder)).write(Array(note.utf8) + output.bytes)
      } catch {
        throw .notWritten(Self.file(id, "log", in: folder), "\(error)")
      }
    }
    Self.removeOld(in: folder, now: now)
  }

  static func removeOld(in folder: String, now: time_t) {
    var records: [(date: time_t, name: String)] = []
    for entry in Folder(folder).entries(atMost: 10_000) {
      var status = stat()
      let path = "\(folder)/\(entry.name)"
      guard entry.name.hasPrefix("run-"), lstat(path, &status) == 0 else { continue }
      if entry.name.hasSuffix(".json") {
        records.append((status.st_mtim.tv_sec, String(entry.name.dropLast(".json".utf8.count))))
      }
    }
    records.sort { ($1.date, $1.name) < ($0.date, $0.name) }
    let oldest = now - time_t(longest.components.seconds)
    for (index, record) in records.enumerated() where index >= most || record.date < oldest {
      for kind in ["json", "log"] { unlink(file(record.name, kind, in: folder)) }
    }
  }

  // MARK: Reading

  init(_ id: String, in folder: String) throws(CommandError) {
    let bytes = try Self.read(id, "json", in: folder, limit: 4 << 20)
    guard let value = try? JSONReader.read(String(decoding: bytes, as: UTF8.self)), case .dictionary(let words) = value,
      case .list(let list)? = words["arguments"], case .text(let working)? = words["folder"]
    else { throw .data("'\(id)' has a record that cannot be read") }
    let arguments = list.compactMap { if case .text(let text) = $0 { text } else { nil } }
    var path: String?
    if case .text(let text)? = words["path"] { path = text }
    self.init(id: id, arguments: arguments, folder: working, path: path)
  }

  /// The end of the output of a command.
  static func output(_ id: String, in folder: String) throws(CommandError) -> [UInt8] {
    try read(id, "log", in: folder, limit: longestOutput + 4096)
  }

  private static func read(
    _ id: String, _ kind: String, in folder: String, limit: Int
  ) throws(CommandError) -> [UInt8] {
    let shown = PrintableText.line(id, atMost: 60)
    guard isID(id) else { throw .data("'\(shown)' is not the id of a command; it begins with 'run-'") }
    do throws(FileError) {
      return try RegularFile.read(file(id, kind, in: folder), limit: limit)
    } catch {
      if case .system(let error) = error, error.meansNoFile {
        throw CommandError(
          message: "nothing is kept of '\(shown)'; the last \(most) commands are, for \(longest.text)",
          status: EX_NOINPUT)
      }
      throw CommandError(message: "'\(shown)': \(error)", status: EX_NOINPUT)
    }
  }
}
