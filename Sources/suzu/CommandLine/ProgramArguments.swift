// SPDX-License-Identifier: Apache-2.0
internal import Glibc

/// Gives Swift's `CommandLine` the arguments of this program.
///
/// Before `main`, the static runtime reads all of /proc/self/maps to find the arguments on the stack: a tenth of the
/// time from the start of `suzu` to its end. The kernel also has them in a file of their own. The two functions below
/// have the names of the runtime's (stdlib/public/stubs/CommandLine.cpp), so the linker leaves those out, and with them
/// what they do before `main`.
enum ProgramArguments {
  fileprivate typealias List = UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>

  // Written once, when the constant is made, and never freed; `CommandLine` copies the texts.
  nonisolated(unsafe) fileprivate static let all: (list: List, count: Int32) = {
    let bytes = kernelsCopy()
    let text = UnsafeMutablePointer<CChar>.allocate(capacity: bytes.count + 1)
    for (offset, byte) in bytes.enumerated() { (text + offset).initialize(to: byte) }
    (text + bytes.count).initialize(to: 0)
    // Each argument ends with a NUL.
    let starts = bytes.indices.filter { $0 == 0 || bytes[$0 - 1] == 0 }
    let list = List.allocate(capacity: starts.count + 1)
    for (number, start) in starts.enumerated() { (list + number).initialize(to: text + start) }
    (list + starts.count).initialize(to: nil)
    return (list, Int32(clamping: starts.count))
  }()

  private static func kernelsCopy() -> [CChar] {
    let file = open("/proc/self/cmdline", O_RDONLY | O_CLOEXEC)
    guard file >= 0 else { return [] }
    defer { close(file) }
    var bytes: [CChar] = []
    var part = [CChar](repeating: 0, count: 4096)
    while true {
      let count = part.withUnsafeMutableBytes { read(file, $0.baseAddress, $0.count) }
      if count < 0, errno == EINTR { continue }
      if count <= 0 { return bytes }
      bytes += part[..<count]
    }
  }
}

/// Called by `CommandLine`, once.
@_cdecl("_swift_stdlib_getUnsafeArgvArgc")
func programArguments(_ count: UnsafeMutablePointer<Int32>) -> UnsafeMutablePointer<UnsafeMutablePointer<CChar>?> {
  count.pointee = ProgramArguments.all.count
  return ProgramArguments.all.list
}

/// Called by a program whose main file is a script, with the arguments of its `main`, which are the kernel's.
@_cdecl("_swift_stdlib_overrideUnsafeArgvArgc")
func replaceProgramArguments(_ list: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>?, _ count: Int32) {}
