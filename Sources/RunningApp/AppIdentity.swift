// SPDX-License-Identifier: Apache-2.0
internal import Foundation
package import NotificationModel
internal import Synchronization

/// The id of the app that this program is: that of its desktop entry.
package final class AppIdentity: Sendable {
  private struct State {
    var chosen: AppID?
    var used: AppID?
  }

  private let state = Mutex(State())

  /// The identity of this process.
  package static let current = AppIdentity()

  package init() {}

  /// Sets the id, before it is used. Later it stays as it is, which is told: requests would belong to two apps.
  package func choose(_ text: String) {
    let id: AppID
    do throws(RequestError) { id = try AppID(text) } catch {
      return warn("the app identifier \(error.problem)")
    }
    let used = state.withLock { state -> AppID? in
      if state.used == nil { state.chosen = id }
      return state.used
    }
    if let used, used != id {
      warn("the app identifier is '\(used)' already, and cannot become '\(id)'; set it before anything else")
    }
  }

  /// The id: as it was set, the bundle's, that of the environment, or the name of the program.
  package var id: AppID {
    let (id, isDerived) = state.withLock { state -> (AppID, Bool) in
      if let used = state.used { return (used, false) }
      let known = state.chosen ?? Self.declared
      let id = known ?? Self.derived
      state.used = id
      return (id, known == nil)
    }
    if isDerived {
      warn(
        "the app identifier is '\(id)', the name of the program; set UNUserNotificationCenter.appIdentifier or the "
          + "variable \(Self.variable) to the id of its desktop entry")
    }
    return id
  }

  /// The environment variable with the id.
  package static let variable = "SUZU_APP_ID"

  private static var declared: AppID? {
    let texts = [Bundle.main.bundleIdentifier, ProcessInfo.processInfo.environment[variable]]
    return texts.lazy.compactMap { $0 }.filter { !$0.isEmpty }.compactMap { try? AppID($0) }.first
  }

  private static var derived: AppID {
    let name = CommandLine.arguments.first.map { URL(fileURLWithPath: $0).lastPathComponent } ?? ""
    return (try? AppID(name)) ?? "program"
  }
}
