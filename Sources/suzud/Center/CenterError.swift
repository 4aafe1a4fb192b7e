// SPDX-License-Identifier: Apache-2.0
internal import NotificationModel
internal import Scheduling
internal import Triggers

/// Why the center refuses a call. `Bus/` turns the code into an error name on the bus.
struct CenterError: Error, Equatable {
  let code: RefusalCode
  let message: String

  init(_ code: RefusalCode, _ message: String) {
    self.code = code
    self.message = message
  }

  /// The error with the index of the request that caused it; unchanged if the index is nil.
  func at(_ index: Int?) -> CenterError {
    guard let index else { return self }
    return CenterError(code, "[\(index)]: \(message)")
  }
}

extension CenterError {
  init(_ error: RequestRefusal) { self.init(error.code, error.message) }

  init(_ error: TriggerError) { self.init(RequestRefusal(error)) }

  init(_ error: StoreError) {
    switch error.code {
    case .full: self.init(.unavailable, "the disk is full: no request can be stored until there is free space")
    case .quota: self.init(.limitExceeded, error.message)
    case .readOnly: self.init(.unavailable, "the disk is read-only: no request can be stored")
    default:
      // The store's message may name files of the user, and the caller may be a sandboxed program.
      Log.error("the store failed", error.message)
      self.init(.unavailable, "the store failed: see 'suzu doctor' and the log of suzud")
    }
  }
}
