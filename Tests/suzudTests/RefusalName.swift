// SPDX-License-Identifier: Apache-2.0
import DBus

/// The name of the error with which the center refuses a call, without the prefix of its own errors; 'taken' if it
/// accepts the call.
func refusalName(_ call: () async throws -> Void) async -> String {
  do {
    try await call()
    return "taken"
  } catch CallError.refused(let error) {
    return error.name.text.replacing("dev.suzu.Error.", with: "")
  } catch {
    return "\(error)"
  }
}
