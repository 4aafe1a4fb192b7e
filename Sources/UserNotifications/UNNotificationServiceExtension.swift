// SPDX-License-Identifier: Apache-2.0
public import Foundation

/// Changes the content of a notification from a push service before it is shown. Linux has no such service, so nothing
/// calls it; a program that receives messages of its own can call it like any other class.
open class UNNotificationServiceExtension: NSObject {
  /// Creates an extension.
  public override init() { super.init() }

  /// Gets a request, and hands back the content to show. Unless it is overridden, the content stays as it is.
  open func didReceive(
    _ request: UNNotificationRequest, withContentHandler contentHandler: @escaping (UNNotificationContent) -> Void
  ) {
    contentHandler(request.content)
  }

  /// The time for the change is nearly over.
  open func serviceExtensionTimeWillExpire() {}
}
