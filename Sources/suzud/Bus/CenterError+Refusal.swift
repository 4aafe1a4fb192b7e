// SPDX-License-Identifier: Apache-2.0
internal import CenterContract
internal import DBus
internal import NotificationModel

/// The center's error as callers receive it; the only conversion of `CenterError`.
extension CenterError: Refusal {
  var refusal: RemoteError { RemoteError(code.errorName, message) }
}
