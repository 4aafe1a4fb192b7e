// SPDX-License-Identifier: Apache-2.0

/// A program that plays files, as far as a notification's sound needs it.
struct SoundProgram {
  let name: String
  /// What comes before the file.
  let options: [String]
  /// The endings of what it plays for certain; nil: of anything.
  let kinds: Set<String>?

  /// The sound server's own first: they obey the volume that the user set for such sounds.
  static let all = [
    SoundProgram(name: "pw-play", options: [], kinds: libsndfile),
    SoundProgram(name: "paplay", options: [], kinds: libsndfile),
    SoundProgram(name: "aplay", options: ["-q"], kinds: ["wav"]),
    SoundProgram(name: "ogg123", options: ["-q"], kinds: ["oga", "ogg", "flac"]),
    SoundProgram(name: "play", options: ["-q"], kinds: ["wav", "oga", "ogg", "flac", "mp3", "aif", "aiff", "au"]),
    SoundProgram(
      name: "ffplay", options: ["-nodisp", "-autoexit", "-loglevel", "error", "-protocol_whitelist", "file", "-i"],
      kinds: nil),
    SoundProgram(name: "mpv", options: ["--no-config", "--no-video", "--no-terminal", "--"], kinds: nil),
  ]

  private static let libsndfile: Set<String> = ["wav", "oga", "ogg", "flac", "aif", "aiff", "au"]

  /// Those that are there at this moment and can play such a file.
  static func present(for file: SoundFile) -> [SoundProgram] {
    all.filter { $0.kinds?.contains(file.kind) != false && InstalledProgram.exists($0.name) }
  }
}
