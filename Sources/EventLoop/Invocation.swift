// SPDX-License-Identifier: Apache-2.0
internal import CLinux
internal import Glibc
internal import SystemFiles

/// A program, its arguments and its environment, as the kernel takes them.
///
/// It is made on the loop, because another thread must not read the environment of this process: the loop may change it
/// meanwhile. @unchecked: it does not change, and owns its C strings.
final class Invocation: @unchecked Sendable {
  /// The program, a path or a name to look up in `PATH`; empty if there is none.
  let name: String
  /// Where the program is looked up; nil if the name is a path.
  private let programs: ProgramSearch?
  private let arguments: [UnsafeMutablePointer<CChar>?]
  private let environment: [UnsafeMutablePointer<CChar>?]
  private let folder: String?

  init(
    _ words: [String], adding variables: [String: String] = [:], withholding withheld: Set<String> = [],
    folder: String? = nil
  ) {
    name = words.first ?? ""
    programs = name.utf8.contains(UInt8(ascii: "/")) ? nil : .current
    arguments = words.map { strdup($0) } + [nil]
    environment = Self.inherited(without: variables.keys, withheld) + variables.map { strdup("\($0)=\($1)") } + [nil]
    self.folder = folder
  }

  deinit {
    for copy in arguments + environment { free(copy) }
  }

  /// The path of the program. It looks at files, which may take a while.
  func findProgram() throws(SpawnError) -> String {
    guard !name.isEmpty else { throw SpawnError("no program given", ENOENT) }
    // Not as the C library does it, which looks in the working folder if PATH has an empty or relative entry.
    guard let programs else { return name }
    guard let program = programs.path(of: name) else { throw SpawnError(name, ENOENT) }
    return program
  }

  /// Starts the program; returns 0 or the number of the error.
  func start(_ program: String, _ start: inout linux_start, _ processID: inout pid_t) -> Int32 {
    let original = DescriptorLimit.original
    var limit = original ?? rlimit()
    return program.withCString { program in
      withOptionalCString(folder) { folder in
        arguments.withUnsafeBufferPointer { arguments in
          environment.withUnsafeBufferPointer { environment in
            withUnsafePointer(to: &limit) { limit in
              start.program = program
              start.folder = folder
              start.arguments = arguments.baseAddress
              start.environment = environment.baseAddress
              start.descriptors = original == nil ? nil : limit
              return linux_start_program(&start, &processID)
            }
          }
        }
      }
    }
  }

  private func withOptionalCString<T>(_ text: String?, _ body: (UnsafePointer<CChar>?) -> T) -> T {
    text.map { $0.withCString(body) } ?? body(nil)
  }

  /// Our variables but for replaced and removed ones. Entries without `=` are skipped.
  private static func inherited(
    without replaced: [String: String].Keys, _ withheld: Set<String>
  ) -> [UnsafeMutablePointer<CChar>?] {
    // As bytes: a String would be made a C string anew for each entry.
    let names = (Array(replaced) + withheld).map { Array("\($0)=".utf8CString) }
    var copies: [UnsafeMutablePointer<CChar>?] = []
    copies.reserveCapacity(128)
    var next = environ
    while let entry = next.pointee {
      next += 1
      if strchr(entry, Int32(UInt8(ascii: "="))) == nil { continue }
      if !names.contains(where: { strncmp($0, entry, $0.count - 1) == 0 }) { copies.append(strdup(entry)) }
    }
    return copies
  }
}
