// SPDX-License-Identifier: Apache-2.0
import EventLoop
import Foundation
import TestSupport

@testable import Links

/// A user with links: a bus, a home, and the built programs.
final class LinkStand: Sendable {
  let session: Session
  let folders: LinkFolders

  /// - Parameters:
  ///   - hasCenter: whether the bus starts the real center.
  ///   - startsLink: whether the bus starts the real suzu-link, as an installed one.
  ///   - more: further variables of the session.
  init(hasCenter: Bool = false, startsLink: Bool = false, _ more: [String: String] = [:]) throws {
    let folder = try TemporaryFolder()
    var services: [String: String] = [:]
    if startsLink {
      // A path without blanks, as that of the center.
      try FileManager.default.createSymbolicLink(
        atPath: folder.path("suzu-link"), withDestinationPath: Session.programs + "/suzu-link")
      services["dev.suzu.Link"] = folder.path("suzu-link")
    }
    let state = folder.path("home/.local/state")
    session = try Session(
      hasCenter: hasCenter, services: services, variables: more.merging(["XDG_STATE_HOME": state]) { $1 }, in: folder)
    let environment = session.environment
    guard let folders = LinkFolders(environment: { environment[$0] }) else { throw TestFailure("no folders") }
    self.folders = folders
  }

  var bus: PrivateBus { session.bus }

  /// Writes the file of a link, as a user would.
  func write(_ name: String = "home", server: String, _ more: String = "") throws {
    try FileManager.default.createDirectory(atPath: folders.settings, withIntermediateDirectories: true)
    let text = #"{"app": "org.example.Tea", "server": "\#(server)", "topic": "tea"\#(more.isEmpty ? "" : ", " + more)}"#
    try text.write(toFile: "\(folders.settings)/\(name).json", atomically: true, encoding: .utf8)
  }

  /// Writes a file beside the links that only the user can read.
  func writeSecret(_ text: String, _ file: String = "home.secret", mode: Int = 0o600) throws {
    try FileManager.default.createDirectory(atPath: folders.settings, withIntermediateDirectories: true)
    let made = FileManager.default.createFile(
      atPath: "\(folders.settings)/\(file)", contents: Data(text.utf8), attributes: [.posixPermissions: mode])
    guard made else { throw TestFailure("cannot write \(file)") }
  }

  func start(_ variables: [String: String] = [:]) throws -> RunningProgram {
    try RunningProgram(Session.programs + "/suzu-link", environment: session.environment.merging(variables) { $1 })
  }

  /// Starts it, and waits until a link is connected.
  func startConnected(_ name: String = "home") throws -> RunningProgram {
    let program = try start()
    guard program.readErrors(until: "info: \(name): connected") != nil else {
      throw TestFailure("the link is not connected: \(program.errors)")
    }
    return program
  }

  /// Ends the program as systemd does, and returns its status.
  static func stop(_ program: RunningProgram) -> Int32? {
    program.signal(SIGTERM)
    return program.waitForExit()
  }

  /// Waits until the program has written such a state: it does so a moment after the fact.
  @discardableResult
  func state(
    of name: String = "home", on loop: EventLoop, where fits: @escaping @Sendable (LinkState) -> Bool
  ) async throws -> LinkState {
    let path = folders.state(of: try LinkName(name))
    let folder = folders.states
    let states = Inbox<LinkState>()
    let watch = try await withCheckedThrowingContinuation { (done: CheckedContinuation<FolderWatch, any Error>) in
      loop.perform {
        do {
          let watch = try loop.watch(folders: [folder]) { _ in if let state = LinkState.read(path) { states.put(state) }
          }
          if let state = LinkState.read(path) { states.put(state) }
          done.resume(returning: watch)
        } catch {
          done.resume(throwing: error)
        }
      }
    }
    let state = try await states.next(where: fits)
    loop.perform { watch.cancel() }
    return state
  }

  /// The state on the disk; nil if there is none.
  func state(of name: String = "home") throws -> LinkState? { LinkState.read(folders.state(of: try LinkName(name))) }
}
