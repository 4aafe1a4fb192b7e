// SPDX-License-Identifier: Apache-2.0
import Foundation
import Suzu
import TestSupport
import Testing

/// Runs `Examples/launcher`.
@Suite(.onOwnThread, .timeLimit(.minutes(2))) struct LauncherTests {
  private static let urls = [
    "Tweetbot": "tweetbot://", "Tweetbot_post": "tweetbot:///post?", "e-mail": "mailto:", "sms": "sms:",
  ]

  private static let app: AppID = "org.example.Launcher"

  /// Reads the lists, and registers all actions for later; then those that are on, with `register`.
  private func prepare(_ stage: ExampleStage, register: (_ seconds: Int, _ actions: Int) throws -> Void) async throws {
    // The schemes of apps that are not installed.
    try stage.session.folder.write("tweetbot\nprefs\nsms\n", to: "home/.config/suzu/schemes")
    let lists = ["appList", "schemes"].map { Session.checkout.appending(path: "Assets/samples/\($0).plist").path }
    #expect(
      try stage.run("launcher", "import", lists[0], lists[1]) == """
        [x] TweetBot
          [x] Tweetbot  tweetbot://
          [x] Tweetbot_post  tweetbot:///post?
        [x] settings
          [x] settings_wifi  prefs:root=WIFI
        [x] mail
          [x] e-mail  mailto:
          [x] sms  sms:

        """)
    try register(3600, 5)
    #expect(try await stage.pending(Self.app).count == 5)
    #expect(try stage.run("launcher", "off", "settings").contains("[ ] settings\n"))
    #expect(try stage.run("launcher", "off", "sms").contains("[ ] sms  sms:"))
    #expect(try stage.run("launcher", "on", "sms") == stage.run("launcher"))
    try register(1, 4)
  }

  /// Clicks on each notification, and expects its URL.
  private func click(_ stage: ExampleStage) async throws {
    for (title, url) in Self.urls.sorted(by: { $0.key < $1.key }) {
      try await stage.server.click(stage.server.popup(titled: title))
      #expect(stage.started.readLine() == "opened \(url)")
      #expect(try await stage.outcome() == .done)
    }
    #expect(await stage.server.screen.isEmpty)
    // What was registered before is cancelled.
    #expect(try await stage.pending(Self.app).isEmpty)
  }

  @Test func `A click on the notification of an action opens its URL, without the program`() async throws {
    try await ExampleStage.run("launcher", starting: "launcher") { stage in
      try await prepare(stage) { seconds, actions in
        let line = try stage.run("launcher", "register", "\(seconds)")
        #expect(line == "registered \(actions) actions\n")
      }
      try await click(stage)
    }
  }

  @Test func `With Apple's names, a click starts the program that has ended, which opens the URL`() async throws {
    try await ExampleStage.run("launcher", starting: "apple-launcher") { stage in
      try await prepare(stage) { seconds, actions in
        let program = try stage.start("apple-launcher", "register", "\(seconds)")
        #expect(program.readLine() == "registered \(actions) actions", "\(program.errors)")
        program.signal(SIGTERM)
        #expect(program.waitForExit() == 0, "\(program.errors)")
      }
      try await click(stage)
    }
  }
}
