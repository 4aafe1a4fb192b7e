// SPDX-License-Identifier: Apache-2.0
import EventLoop
import Foundation
import Freedesktop
import TestSupport
import Testing

/// Tests the choice of sound players with programs that record their arguments.
@Suite(.timeLimit(.minutes(1))) struct SoundPlayerTests {
  /// Themes in home and system folders, and a private `PATH`.
  struct Stand {
    let programs: StandInPrograms
    var folder: TemporaryFolder { programs.folder }

    init(playing players: String...) throws {
      programs = try StandInPrograms()
      setenv("HOME", folder.path("home"), 1)
      setenv("XDG_DATA_HOME", folder.path("own"), 1)
      setenv("XDG_DATA_DIRS", "relative:" + folder.path("local") + ":" + folder.path("shared"), 1)
      setenv("XDG_CONFIG_HOME", folder.path("config"), 1)
      unsetenv("XDG_CURRENT_DESKTOP")
      for player in players { try programs.add(player) }
    }

    @discardableResult
    func sound(_ name: String) throws -> String { try folder.write("sound", to: name) }

    /// The file played last, relative to the stand's folder.
    func played() -> String? {
      programs.calls().last?.last.map { String($0.dropFirst(folder.path("").count + 1)) }
    }
  }

  @Test func `The first installed player that supports the file plays it`() async throws {
    await #expect(processExitsWith: .success) {
      let stand = try Stand()
      let files = try ["wav", "oga", "ogg", "flac", "mp3", "opus", "xyz", "WAV"].map { try stand.sound("a." + $0) }
      let able: [(String, [String], Set<String>)] = [
        (
          "mpv", ["--no-config", "--no-video", "--no-terminal", "--"],
          ["wav", "oga", "ogg", "flac", "mp3", "opus", "xyz"]
        ),
        (
          "ffplay", ["-nodisp", "-autoexit", "-loglevel", "error", "-protocol_whitelist", "file", "-i"],
          ["wav", "oga", "ogg", "flac", "mp3", "opus", "xyz"]
        ),
        ("play", ["-q"], ["wav", "oga", "ogg", "flac", "mp3"]), ("ogg123", ["-q"], ["oga", "ogg", "flac"]),
        ("aplay", ["-q"], ["wav"]), ("paplay", [], ["wav", "oga", "ogg", "flac"]),
        ("pw-play", [], ["wav", "oga", "ogg", "flac"]),
      ]
      try await withLoop { loop in
        let player = SoundPlayer(on: loop)
        for file in files { #expect(await player.play(file) == .noPlayer) }
        // From last to first, each takes over the files it supports.
        for index in able.indices {
          try stand.programs.add(able[index].0)
          for file in files {
            let kind = file.split(separator: ".").last.map { $0.lowercased() } ?? ""
            #expect(await player.play(file) == .played)
            let taker = try #require(able[...index].last { $0.2.contains(kind) })
            #expect(stand.programs.calls() == [[taker.0] + taker.1 + [file]])
          }
        }
        try stand.programs.add("canberra-gtk-play")
        for file in files {
          #expect(await player.play(file) == .played)
          #expect(stand.programs.calls() == [["canberra-gtk-play", "--file=" + file]])
        }
      }
    }
  }

  @Test func `A failing player is followed by the next one`() async throws {
    await #expect(processExitsWith: .success) {
      let stand = try Stand()
      try stand.programs.add("canberra-gtk-play", "exit 1")
      try stand.programs.add("pw-play", "kill -ABRT $$")
      try stand.programs.add("paplay", "exit 3")
      let file = try stand.sound("shared/sounds/freedesktop/stereo/bell.wav")
      try await withLoop { loop in
        let player = SoundPlayer(on: loop)
        #expect(await player.play(file) == .failed("paplay: exit 3"))
        #expect(stand.programs.calls().map(\.first) == ["canberra-gtk-play", "pw-play", "paplay"])
        try stand.programs.add("aplay")
        for sound in [file, "bell"] {
          #expect(await player.play(sound) == .played)
          #expect(stand.programs.calls().map(\.first) == ["canberra-gtk-play", "pw-play", "paplay", "aplay"])
        }
      }
    }
  }

  @Test func `Canberra is tried first with the names of the default in turn`() async throws {
    await #expect(processExitsWith: .success) {
      let stand = try Stand()
      try stand.programs.add("canberra-gtk-play", "[ \"$1\" = --id=bell ]")
      try await withLoop { loop in
        let player = SoundPlayer(on: loop)
        #expect(await player.play("default") == .played)
        #expect(
          stand.programs.calls() == [
            ["canberra-gtk-play", "--id=message-new-instant"], ["canberra-gtk-play", "--id=bell"],
          ])
        #expect(await player.play("complete") == .notFound)
        // These are invalid names, so no program is started.
        _ = stand.programs.calls()
        for name in ["", "-f", "--file=a", ".hidden", "a b", "früh", "a\nb", "a;b", "$(a)"] {
          #expect(await player.play(name) == .notFound)
        }
        #expect(stand.programs.calls() == [])
      }
    }
  }

  @Test func `Names are resolved by the sound theme specification`() async throws {
    await #expect(processExitsWith: .success) {
      let stand = try Stand(playing: "paplay")
      func theme(_ place: String, _ inherits: String) throws {
        try stand.folder.write(
          "# a theme\n[Sound Theme]\nName=x\nInherits=\(inherits)\nDirectories=stereo\n", to: place + "/index.theme")
      }
      try stand.folder.write("[Settings]\ngtk-sound-theme-name = tea\n", to: "config/gtk-3.0/settings.ini")
      try theme("shared/sounds/tea", "water,pot")
      try theme("shared/sounds/water", "tea , ../../secret")
      let shared = "shared/sounds/"
      for file in [
        "tea/stereo/a.wav", "tea/stereo/a.oga", "water/stereo/a.ogg", "water/stereo/b.ogg", "pot/stereo/b.oga",
        "pot/c.wav", "freedesktop/stereo/b.oga", "freedesktop/stereo/d.wav", "freedesktop/stereo/d-e.wav",
        "stereo/f.wav", "g.wav", "tea/stereo/d.oga", "freedesktop/stereo/h.wav", "tea/stereo/h.disabled",
        "../secret/stereo/i.wav", "freedesktop/stereo/j.mp3", "freedesktop/stereo/message-new-instant.oga",
      ] { try stand.sound(shared + file) }
      try stand.sound("local/sounds/freedesktop/stereo/k.wav")
      try stand.sound("own/sounds/freedesktop/stereo/k.wav")
      try stand.sound(shared + "freedesktop/stereo/k.wav")
      let found: [(String, String?)] = [
        ("a", shared + "tea/stereo/a.oga"), ("b", shared + "water/stereo/b.ogg"), ("c", shared + "pot/c.wav"),
        ("d", shared + "tea/stereo/d.oga"), ("d-e", shared + "freedesktop/stereo/d-e.wav"),
        ("d-x-y", shared + "tea/stereo/d.oga"), ("f", shared + "stereo/f.wav"), ("g-h-i", shared + "g.wav"),
        ("i", nil), ("j", nil), ("k", "own/sounds/freedesktop/stereo/k.wav"),
        ("default", shared + "freedesktop/stereo/message-new-instant.oga"),
      ]
      try await withLoop { loop in
        let player = SoundPlayer(on: loop)
        for (name, file) in found {
          #expect(await player.play(name) == (file == nil ? .notFound : .played), "\(name)")
          #expect(stand.played() == file, "\(name)")
        }
        #expect(await player.play("h") == .disabled)
        #expect(stand.played() == nil)
        try stand.folder.write("[Sounds]\nTheme=pot\n", to: "config/kdeglobals")
        setenv("XDG_CURRENT_DESKTOP", "KDE", 1)
        #expect(await player.play("b") == .played)
        #expect(stand.played() == shared + "pot/stereo/b.oga")
      }
    }
  }

  @Test func `Only a regular file of limited size is played and no path is an option`() async throws {
    await #expect(processExitsWith: .success) {
      let stand = try Stand(playing: "paplay", "mpv")
      #expect(mkfifo(stand.folder.path("pipe.wav"), 0o600) == 0)
      let large = try stand.sound("large.wav")
      #expect(truncate(large, 50 << 20) == 0)
      let odd = try stand.sound("-odd $(name) 'x'.wav")
      let link = stand.folder.path("link.wav")
      try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: odd)
      try await withLoop { loop in
        let player = SoundPlayer(on: loop)
        for file in [large, odd, link] {
          #expect(await player.play(file) == .played)
          #expect(stand.programs.calls().last?.last == file)
        }
        #expect(truncate(large, 50 << 20 + 1) == 0)
        let bad = [large, stand.folder.path("pipe.wav"), "/dev/zero", stand.folder.path("none.wav"), "./-odd.wav", "/"]
        for file in bad { #expect(await player.play(file) == .notFound, "\(file)") }
        #expect(stand.programs.calls() == [])
      }
    }
  }

  @Test func `A sound ends at its limit or with its task`() async throws {
    await #expect(processExitsWith: .success) {
      let stand = try Stand()
      let started = stand.folder.path("started")
      #expect(mkfifo(started, 0o600) == 0)
      let file = try stand.sound("a.wav")
      // A sleep is meant: a player that does not end.
      try stand.programs.add("aplay", "trap '' TERM\necho $$ >\(started)\nwhile :; do /bin/sleep 60; done")
      try await withLoop { loop in
        var limits = SoundPlayer.Limits()
        limits.grace = .milliseconds(50)
        for isCancelled in [true, false] {
          if !isCancelled { limits.duration = .milliseconds(300) }
          let player = SoundPlayer(on: loop, limits: limits)
          let playing = Task { await player.play(file) }
          let line = try await offPool { try RunningProgram.run("/bin/cat", [started], environment: [:]).output }
          let number = try #require(pid_t(line.dropLast()))
          if isCancelled { playing.cancel() }
          #expect(await playing.value == .played)
          #expect(kill(number, 0) == -1 && errno == ESRCH)
        }
      }
    }
  }

  @Test func `A third simultaneous sound is dropped and a free place is reused`() async throws {
    await #expect(processExitsWith: .success) {
      let stand = try Stand()
      let gate = stand.folder.path("gate")
      #expect(mkfifo(gate, 0o600) == 0)
      #expect(mkfifo(stand.folder.path("started"), 0o600) == 0)
      try stand.programs.add("aplay", "exec 4<>\(gate)\necho >\(stand.folder.path("started"))\nread line <&4")
      let file = try stand.sound("a.wav")
      let started = stand.folder.path("started")
      try await withLoop { loop in
        let player = SoundPlayer(on: loop)
        for _ in 0..<2 {
          let first = Task { await player.play(file) }
          _ = try await offPool { try RunningProgram.run("/bin/cat", [started], environment: [:]) }
          let second = Task { await player.play(file) }
          _ = try await offPool { try RunningProgram.run("/bin/cat", [started], environment: [:]) }
          #expect(await player.play(file) == .dropped)
          #expect(await player.play("/none") == .dropped)
          // Both hold the gate open, and each takes one line.
          _ = try await offPool {
            try RunningProgram.run("/bin/sh", ["-c", "echo >\(gate); echo >\(gate)"], environment: [:])
          }
          #expect(await first.value == .played)
          #expect(await second.value == .played)
        }
      }
    }
  }
}
