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

/// Called by libFuzzer, which reports the input if this ends the program.
@_cdecl("LLVMFuzzerTestOneInput")
public func readOneInput(_ bytes: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
  let input = Array(UnsafeBufferPointer(start: bytes, count: count))
  do throws(Surprise) { _ = try surface.read(input) } catch { fatalError("\(surface.name): \(error)") }
  return 0
}
