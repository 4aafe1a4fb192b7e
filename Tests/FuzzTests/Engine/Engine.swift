// SPDX-License-Identifier: Apache-2.0
// The program of `make fuzz`: libFuzzer calls it with one input after another. SUZU_FUZZ_SURFACE names the surface, which
// is one of `surfaces`: Scripts/fuzz writes that line, for a folder of Surfaces.
import Foundation

private let surface: Surface = {
  let name = ProcessInfo.processInfo.environment["SUZU_FUZZ_SURFACE"] ?? ""
  guard let surface = surfaces.first(where: { $0.name == name }) else {
    FileHandle.standardError.write(
      Data("fuzz: no surface '\(name)'; known: \(surfaces.map(\.name).joined(separator: " "))\n".utf8))
    exit(64)
  }
  return surface
}()

/// The time that an input may take, in nanoseconds.
private let longest: UInt64 = 1_000_000_000

/// The time that the processor has spent on this program, in nanoseconds. Other programs do not count, so that a busy
/// machine makes no input slow.
private func processorTime() -> UInt64 {
  var time = timespec()
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time)
  return UInt64(time.tv_sec) * 1_000_000_000 + UInt64(time.tv_nsec)
}

/// Called by libFuzzer, which reports the input if this ends the program.
@_cdecl("LLVMFuzzerTestOneInput")
public func readOneInput(_ bytes: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
  let input = Array(UnsafeBufferPointer(start: bytes, count: count))
  let start = processorTime()
  do throws(Surprise) { _ = try surface.read(input) } catch { fatalError("\(surface.name): \(error)") }
  let used = processorTime() - start
  if used >= longest { fatalError("\(surface.name): this input takes \(used / 1_000_000) ms") }
  return 0
}
