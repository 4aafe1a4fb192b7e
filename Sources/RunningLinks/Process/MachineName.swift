// SPDX-License-Identifier: Apache-2.0
internal import Glibc

/// The name of this machine, for people who read on another one where they have answered.
enum MachineName {
  static var current: String {
    var bytes = [CChar](repeating: 0, count: 65)
    guard gethostname(&bytes, bytes.count - 1) == 0 else { return "another desktop" }
    let name = String(decoding: bytes.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
    return name.isEmpty || name.utf8.count > 64 ? "another desktop" : name
  }
}
