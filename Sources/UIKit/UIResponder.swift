// SPDX-License-Identifier: Apache-2.0
public import Foundation

/// The superclass of application delegates.
@preconcurrency @MainActor open class UIResponder: NSObject {
  /// Creates a responder.
  public override init() { super.init() }
}

/// A window, for delegates with such a property. It shows nothing.
@preconcurrency @MainActor open class UIWindow: UIResponder {
  /// Does nothing.
  open func makeKeyAndVisible() {}
}
