// SPDX-License-Identifier: Apache-2.0
internal import NotificationModel
internal import Scheduling
internal import Triggers

/// Why the center does not do what it was asked for. `Bus/` turns the code into a name on the bus.
struct CenterError: Error, Equatable {
  let code: RefusalCode
  let message: String

  init(_ code: RefusalCode, _ message: String) {
    self.code = code
    self.message = message
  }

  /// The error of one of several requests; nil: there is only one.
  func at(_ index: Int?) -> CenterError {
    guard let index else { return self }
    return CenterError(code, "[\(index)]: \(message)")
  }
}

extension CenterError {
  init(_ error: TriggerError) {
    self.init(error.code == .inThePast ? .inThePast : .invalidRequest, error.description)
  }

  init(unknown category: String) {
    self.init(
      .unknownCategory, "'category' names '\(DisplayText.line(category))', which is not registered: see suzu category")
  }

  init(_ error: StoreError) {
    switch error.code {
    case .full: self.init(.unavailable, "the disk is full: nothing new can be kept until there is room again")
    case .quota: self.init(.limitExceeded, error.message)
    case .readOnly: self.init(.unavailable, "the disk cannot be written to: nothing new can be kept")
    default:
      // What it says may name files of the user, and a sandboxed program may be who hears it.
      Log.error("the store fails", error.message)
      self.init(.unavailable, "the store fails: see 'suzu doctor' and the log of suzud")
    }
  }
}
