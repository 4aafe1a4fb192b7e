// SPDX-License-Identifier: Apache-2.0

/// A function of ours that a C library calls: it holds one reference, and drops it when it calls no more.
///
/// `@unchecked`: the function is called on the main loop only, by ``call(_:)``.
final class Handler<Argument>: @unchecked Sendable {
  private let body: @MainLoop (Argument) -> Void

  init(_ body: @escaping @MainLoop (Argument) -> Void) { self.body = body }

  @MainLoop func call(_ argument: Argument) { body(argument) }

  /// The reference that the library holds.
  var retained: UnsafeMutableRawPointer { Unmanaged.passRetained(self).toOpaque() }

  static func of(_ box: UnsafeMutableRawPointer?) -> Handler? {
    box.map { Unmanaged<Handler>.fromOpaque($0).takeUnretainedValue() }
  }

  static func drop(_ box: UnsafeMutableRawPointer?) {
    if let box { Unmanaged<Handler>.fromOpaque(box).release() }
  }
}

extension Handler where Argument == Void {
  /// Calls the function behind a pointer, on the main thread.
  static func run(_ box: UnsafeMutableRawPointer?) {
    guard let handler = of(box) else { return }
    MainLoop.assume { handler.call(()) }
  }
}
