// SPDX-License-Identifier: Apache-2.0
internal import CenterContract
internal import DBus
internal import NotificationModel

extension RemoteError {
  /// The center's refusal as callers get it; nothing else makes one of it.
  init(_ error: CenterError) {
    self.init(error.code.errorName, error.message)
  }
}

extension CenterInterface {
  /// A method that is refused with the center's errors.
  static func method(
    _ name: MemberName, in inputs: KeyValuePairs<String, Signature> = [:],
    out outputs: KeyValuePairs<String, Signature> = [:], bounds: Bounds? = nil, _ answer: @escaping Method.Handler
  ) -> Method {
    Method(name, in: inputs, out: outputs, bounds: bounds) { call in
      do {
        return try await answer(call)
      } catch let error as CenterError {
        throw RemoteError(error)
      }
    }
  }
}
