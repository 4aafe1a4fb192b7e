// SPDX-License-Identifier: Apache-2.0
internal import Foundation
internal import Synchronization

/// Tells the programmer about a mistake on standard error.
package func warn(_ text: String) {
  FileHandle.standardError.write(Data("UserNotifications: \(text)\n".utf8))
}

private let told = Mutex<Set<String>>([])

/// The same, once for each text.
package func warnOnce(_ text: String) {
  if told.withLock({ $0.insert(text).inserted }) { warn(text) }
}
