// SPDX-License-Identifier: Apache-2.0
internal import SystemFiles

/// A program that plays sound files.
struct SoundProgram {
  let name: String
  /// The arguments before the file.
  let options: [String]
  /// The file extensions that it plays reliably; nil for any.
  let kinds: Set<String>?

  /// The sound server's own players come first: they obey the user's volume for such sounds.
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

  /// The installed programs that can play such a file.
  static func present(for file: SoundFile) -> [SoundProgram] {
    let programs = ProgramSearch.current
    return all.filter { $0.kinds?.contains(file.kind) != false && programs.path(of: $0.name) != nil }
  }
}
