// SPDX-License-Identifier: Apache-2.0
import Foundation
import TestStage

/// The real Speech Dispatcher with a voice that writes what it speaks to a pipe, so that nothing is heard.
package final class SpeechServer: Sendable {
  /// Whether it is installed.
  package static let isThere = RunningProgram.path(of: "speech-dispatcher") != nil

  private let voice: RunningProgram
  private let server: RunningProgram?

  /// Starts it at a socket.
  ///
  /// - Parameter isStarted: if false, only its settings are written for the home `home` of the folder, and its client
  ///   starts it.
  package init(
    at socket: String, in folder: TemporaryFolder, environment: [String: String], isStarted: Bool = true
  ) throws {
    let pipe = folder.path("spoken")
    mkfifo(pipe, 0o600)
    let settings = isStarted ? "speech" : "home/.config/speech-dispatcher"
    try folder.write(
      """
      AudioOutputMethod "alsa"
      AudioALSADevice "null"
      AddModule "pipe" "sd_generic" "pipe.conf"
      # Speech Dispatcher 0.12 adds one of this name for espeak-ng; without that program it often dies of a broken pipe.
      AddModule "espeak-ng-fallback" "sd_dummy" ""
      DefaultModule pipe

      """, to: settings + "/speechd.conf")
    try folder.write(
      """
      GenericExecuteSynth "{ printf '%s' \\'$DATA\\'; echo; echo end; } >'\(pipe)'"
      GenericLanguage "en" "en" "utf-8"
      AddVoice "en" "MALE1" "x"
      GenericMaxChunkLength 10000

      """, to: settings + "/modules/pipe.conf")
    // Open for reading and writing, so that it does not end with the first writer.
    voice = try RunningProgram("/bin/sh", ["-c", "exec cat <>'\(pipe)'"], environment: environment)
    guard isStarted else {
      server = nil
      return
    }
    let server = try RunningProgram(
      "speech-dispatcher",
      [
        "-s", "-C", folder.path(settings), "-c", "unix_socket", "-S", socket, "-P", folder.path("speech/pid"), "-L",
        "stdout", "-t", "0",
      ], environment: environment)
    self.server = server
    guard server.readLines(until: "waiting for clients") != nil else {
      throw TestFailure("speech-dispatcher does not start: \(server.errors.suffix(2000))")
    }
  }

  /// The next lines that are spoken; the server may split a text at its sentences. Fewer if no more come.
  package func next(_ count: Int, within seconds: Double = 10) -> [String] {
    var lines: [String] = []
    while lines.count < count, let line = voice.readLine(within: seconds) {
      let text = line.filter { $0 != "\r" && $0 != "\r\n" }
      if !text.isEmpty, text != "end" { lines.append(text) }
    }
    return lines
  }
}
