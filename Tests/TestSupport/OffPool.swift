// SPDX-License-Identifier: Apache-2.0
import Foundation
package import TestStage

/// Runs blocking code on a thread of its own, because the other side may need the few threads of the runtime's pool.
///
/// Do not call it inside `#expect`: Swift 6.3.1 then runs the closure there in the place of a later one of the same
/// type.
public func offPool<T: Sendable>(_ body: @escaping @Sendable () throws -> T) async throws -> T {
  try await withCheckedThrowingContinuation { continuation in
    Thread.detachNewThread { continuation.resume(with: Result(catching: body)) }
  }
}

extension RunningProgram {
  /// The next line of the output; nil at the end or after a timeout.
  package func line() async throws -> String? { try await offPool { self.readLine() } }

  /// The exit status; nil if it has not ended after a timeout.
  package func exit() async throws -> Int32? { try await offPool { self.waitForExit() } }
}
