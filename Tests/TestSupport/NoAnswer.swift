// SPDX-License-Identifier: Apache-2.0

/// Waits until the task is cancelled: for the handler of a peer that never answers.
public func neverAnswer() async throws {
  let (stream, continuation) = AsyncStream.makeStream(of: Void.self)
  for await _ in stream {}
  continuation.finish()
  throw CancellationError()
}
