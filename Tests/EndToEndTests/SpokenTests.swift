// SPDX-License-Identifier: Apache-2.0
import Foundation
import TestSupport
import Testing

/// Tests that the real center speaks through the real Speech Dispatcher, and what the command says about it.
@Suite(.onOwnThread, .timeLimit(.minutes(2)))
struct SpokenTests {
  @Test(.enabled(if: SpeechServer.isThere, "speech-dispatcher is not installed"))
  func `A notification is spoken without its markup, now and at its time, also after an edit`() async throws {
    let session = try Session()
    let speech = try SpeechServer(
      at: session.folder.path("speech-socket"), in: session.folder, environment: session.environment)
    let popups = try session.start("popups", "--plain")
    #expect(try session.awaitOwner(of: "org.freedesktop.Notifications"))
    let notified = try session.suzu("notify", "Tea is ready", "It is <b>hot</b>", "--markup", "--speak")
    #expect(notified.status == 0 && notified.errors == "", "\(notified.errors)")
    #expect(speech.next(2) == ["Tea is ready.", "It is hot."])
    #expect(try session.suzu("notify", "Cake", "--id", "cake", "--in", "1h", "--speak").status == 0)
    #expect(try session.suzu("edit", "cake", "--in", "1s", "--subtitle", "with cream").status == 0)
    #expect(speech.next(2) == ["Cake.", "with cream."])
    #expect(try session.suzu("notify", "Silence").status == 0)
    #expect(popups.readLines(until: "Silence") != nil)
    #expect(try session.suzu("show", "cake", "--json").output.contains(#""speak":true"#))
  }

  @Test func `Notify and doctor say that Speech Dispatcher is missing, if a request wants it`() throws {
    let folder = try TemporaryFolder()
    // Everything but the speech programs.
    try folder.write("", to: "bin/.empty")
    for program in ["suzu", "sh"] {
      let path = program == "sh" ? "/bin/sh" : Session.programs + "/suzu"
      try FileManager.default.createSymbolicLink(atPath: folder.path("bin/" + program), withDestinationPath: path)
    }
    let session = try Session(variables: ["PATH": folder.path("bin")], in: folder)
    #expect(!(try session.suzu("doctor").output.contains("speech")))
    let notified = try session.suzu("notify", "Tea", "--in", "1h", "--speak")
    #expect(notified.status == 0)
    #expect(
      notified.errors
        == "suzu: notify: warning: it will not be spoken: install speech-dispatcher, and a voice such as espeak-ng\n")
    let doctor = try session.suzu("doctor").output
    #expect(
      doctor.contains(
        "speech: 1 pending request will not be spoken; install speech-dispatcher, and a voice such as espeak-ng"),
      "\(doctor)")
  }
}
