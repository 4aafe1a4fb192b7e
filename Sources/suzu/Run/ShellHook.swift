// SPDX-License-Identifier: Apache-2.0
internal import NotificationModel

/// What makes a shell notify after each long command: a few lines for its start-up file.
///
/// They read the shell's own clock before and after a command, and start a program only if it took long. What other
/// programs have put into the hooks of the shell stays.
struct ShellHook {
  enum Shell: String, CaseIterable {
    case bash, zsh, fish
  }

  let shell: Shell
  /// In milliseconds.
  let over: Int64
  /// The programs that the user works in: their end is no news.
  let skipped: [String]
  /// Further flags for `suzu run`.
  let flags: [String]

  init(_ name: String, _ arguments: Arguments) throws(CommandError) {
    guard let shell = Shell(rawValue: name) else {
      let near = suggestion(for: name, among: Shell.allCases.map(\.rawValue))
      throw .data("'--hook \(PrintableText.line(name, atMost: 60))' must be one of bash, zsh and fish\(near)")
    }
    self.shell = shell
    var over = RunFlags.usualOver
    if let text = arguments.value("over") {
      do throws(RequestError) { over = try Duration.parse(text) } catch { throw .data("'--over' \(error.problem)") }
    }
    self.over = over.components.seconds * 1000 + over.components.attoseconds / 1_000_000_000_000_000
    for name in arguments.all("skip") where !Self.isName(name) {
      throw .data("'--skip \(PrintableText.line(name, atMost: 60))' must be the name of a program")
    }
    skipped = Self.interactive + arguments.all("skip")
    for name in ["progress", "keep", "title", "id"] where arguments.has(name) {
      throw .usage("'--hook' and '--\(name)' cannot be combined")
    }
    flags = RunFlags.looks.flatMap { flag in
      arguments.all(flag.name).map { "--\(flag.name)=\($0)" }
    }
  }

  private static func isName(_ text: String) -> Bool {
    !text.isEmpty
      && text.utf8.allSatisfy { byte in
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
          UInt8(ascii: "0")...UInt8(ascii: "9"):
          true
        default: "._+-".utf8.contains(byte)
        }
      }
  }

  private static let interactive = [
    "btop", "emacs", "fg", "htop", "info", "joe", "less", "man", "mc", "more", "mosh", "mutt", "nano", "nvim", "screen",
    "ssh", "su", "suzu", "tmux", "top", "vi", "view", "vim", "vimdiff", "watch",
  ]
  /// The programs that the user works in unless they are given something to run.
  private static let interactiveAlone = [
    "bash", "fish", "gdb", "ghci", "ipython", "irb", "node", "psql", "python", "python3", "sh", "sqlite3", "zsh",
  ]

  var text: String {
    let template =
      switch shell {
      case .bash: Self.bash
      case .zsh: Self.zsh
      case .fish: Self.fish
      }
    let line = (["suzu", "run", "--away", "--took=$1", "--status=$2"] + flags.map(Self.quoted)).joined(separator: " ")
    return template.replacing("@over@", with: "\(over)").replacing("@over-us@", with: "\(over * 1000)")
      .replacing("@alone@", with: Self.interactiveAlone.joined(separator: shell == .fish ? " " : "|"))
      .replacing("@skipped@", with: skipped.joined(separator: shell == .fish ? " " : "|"))
      .replacing(
        "@run@", with: shell == .fish ? line.replacing("$1", with: "$argv[1]").replacing("$2", with: "$argv[2]") : line)
  }

  /// For all three shells. fish reads `\'` inside of quotes, and ends them so as well.
  private static func quoted(_ text: String) -> String {
    "'\(text.replacing("\\", with: "\\\\").replacing("'", with: #"'\''"#))'"
  }

  private static let bash = #"""
    # suzu: notify after each long command, unless this terminal is in front
    if [[ $- == *i* && ${BASH_VERSINFO[0]} -ge 5 && -z ${_suzu_number-} ]]; then
      _suzu_start= _suzu_number=0 _suzu_prompt='\!'
      # Expanded before a command begins; it assigns in this shell, and starts none.
      PS0=${PS0-}'${_suzu_prompt:((_suzu_start=${EPOCHREALTIME/[.,]/})*0):0}'
      _suzu_ended() {
        local status=$? start=$_suzu_start number=${_suzu_prompt@P}
        _suzu_start=
        if [[ -n $start ]] && (( ${EPOCHREALTIME/[.,]/} - start >= @over-us@ )); then
          _suzu_tell $(( (${EPOCHREALTIME/[.,]/} - start) / 1000 ))ms "$status" "$number"
        fi
        _suzu_number=$number
        return "$status"
      }
      _suzu_tell() {
        local line='A command'
        # What is not in the history, because it begins with a space, is not told.
        if [[ $3 != "$_suzu_number" || ${HISTCONTROL-} == *dups* || ${HISTCONTROL-} == *both* ]]; then
          line=$(HISTTIMEFORMAT= builtin history 1) line=${line#"${line%%[! ]*}"}
          line=${line#"${line%%[!0-9]*}"} line=${line#\*} line=${line#"${line%%[! ]*}"}
        fi
        local program=${line%%[[:space:]]*}
        case ${program##*/} in
          @skipped@) return ;;
        esac
        case $line in
          @alone@) return ;;
        esac
        ( @run@ -- "$line" </dev/null >/dev/null 2>&1 & )
      }
      if (( BASH_VERSINFO[0] > 5 || BASH_VERSINFO[1] >= 1 )); then
        PROMPT_COMMAND=(_suzu_ended "${PROMPT_COMMAND[@]}")
      else
        PROMPT_COMMAND="_suzu_ended${PROMPT_COMMAND:+; $PROMPT_COMMAND}"
      fi
    fi
    """#

  private static let zsh = #"""
    # suzu: notify after each long command, unless this terminal is in front
    if [[ -o interactive ]] && (( ! ${+functions[_suzu_ended]} )); then
      zmodload zsh/datetime
      autoload -Uz add-zsh-hook
      _suzu_begun() {
        typeset -g _suzu_line=$1
        typeset -gF _suzu_start=$EPOCHREALTIME
      }
      _suzu_ended() {
        local -i code=$?
        [[ -n ${_suzu_line-} ]] || return code
        local line=$_suzu_line
        _suzu_line=
        local -i took=$(( (EPOCHREALTIME - _suzu_start) * 1000 ))
        (( took >= @over@ )) && _suzu_tell ${took}ms $code $line
        return code
      }
      _suzu_tell() {
        emulate -L zsh
        local program=${${(z)3}[1]:t} line=$3
        # What the history leaves out is not told.
        [[ $3 == ' '* ]] && line='A command'
        case $program in
          (@skipped@) return ;;
        esac
        case $line in
          (@alone@) return ;;
        esac
        ( @run@ -- $line </dev/null >/dev/null 2>&1 & )
      }
      add-zsh-hook preexec _suzu_begun
      add-zsh-hook precmd _suzu_ended
      precmd_functions=(_suzu_ended ${precmd_functions:#_suzu_ended})
    fi
    """#

  private static let fish = #"""
    # suzu: notify after each long command, unless this terminal is in front
    if status is-interactive; and not functions -q _suzu_ended
      function _suzu_ended --on-event fish_postexec
        set -l code $status
        set -l took $CMD_DURATION
        if test -n "$took"; and test "$took" -ge @over@
          _suzu_tell {$took}ms $code $argv[1]
        end
      end
      function _suzu_tell
        set -l line $argv[3]
        set -l program (string match -r '\S+' -- $line)[1]
        # What the history leaves out is not told.
        string match -q ' *' -- $line; and set line 'A command'
        contains -- (string replace -r '.*/' '' -- "$program") @skipped@; and return
        contains -- "$line" @alone@; and return
        @run@ -- $line </dev/null >/dev/null 2>&1 &
        disown 2>/dev/null
      end
    end
    """#
}
