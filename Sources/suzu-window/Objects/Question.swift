// SPDX-License-Identifier: Apache-2.0
internal import CAdwaita

/// A function of ours that a C library asks something; see ``Handler``.
///
/// `@unchecked`: the function is called on the main loop only, by ``answer``.
final class Question: @unchecked Sendable {
  private let body: @MainLoop () -> Bool

  init(_ body: @escaping @MainLoop () -> Bool) { self.body = body }

  var answer: gboolean { MainLoop.assume { body() } ? 1 : 0 }

  /// The reference that the library holds.
  var retained: UnsafeMutableRawPointer { Unmanaged.passRetained(self).toOpaque() }

  /// The library passes what it was given.
  static func of(_ box: UnsafeMutableRawPointer?) -> Question {
    Unmanaged<Question>.fromOpaque(box!).takeUnretainedValue()
  }

  static func drop(_ box: UnsafeMutableRawPointer?) {
    if let box { Unmanaged<Question>.fromOpaque(box).release() }
  }
}
