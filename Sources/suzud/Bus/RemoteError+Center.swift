// SPDX-License-Identifier: Apache-2.0
internal import DBus

extension RemoteError {
  /// The center's error as callers receive it; the only conversion of `CenterError`.
  init(_ error: CenterError) {
    let name =
      switch error.code {
      case .invalidRequest: CenterInterface.invalidRequest
      case .inThePast: CenterInterface.inThePast
      case .unknownCategory: CenterInterface.unknownCategory
      case .accessDenied: CenterInterface.accessDenied
      case .notFound: CenterInterface.notFound
      case .limitExceeded: CenterInterface.limitExceeded
      case .unavailable: CenterInterface.unavailable
      }
    self.init(name, error.message)
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
