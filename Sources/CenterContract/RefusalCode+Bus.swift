// SPDX-License-Identifier: Apache-2.0
public import DBus
public import NotificationModel

extension RefusalCode {
  /// The error name on the bus: `dev.suzu.Error.NotFound`.
  public var errorName: ErrorName {
    switch self {
    case .invalidRequest: "dev.suzu.Error.InvalidRequest"
    case .inThePast: "dev.suzu.Error.InThePast"
    case .unknownCategory: "dev.suzu.Error.UnknownCategory"
    case .accessDenied: "dev.suzu.Error.AccessDenied"
    case .notFound: "dev.suzu.Error.NotFound"
    case .limitExceeded: "dev.suzu.Error.LimitExceeded"
    case .unavailable: "dev.suzu.Error.Unavailable"
    }
  }

  /// Returns nil if the error is not one of the center's.
  public init?(_ errorName: ErrorName) {
    guard let code = Self.allCases.first(where: { $0.errorName == errorName }) else { return nil }
    self = code
  }
}
