// SPDX-License-Identifier: Apache-2.0
internal import CenterContract
internal import DBus
internal import NotificationModel

extension RemoteError {
  /// The center's error as callers receive it; the only conversion of `CenterError`.
  init(_ error: CenterError) {
    self.init(error.code.errorName, error.message)
  }
}

extension CenterInterface {
  /// A method whose errors are the center's.
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
