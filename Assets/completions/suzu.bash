# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=bash disable=SC2034  # other shells show the candidates' help
# bash completion for suzu. It calls suzu itself, and so supports every verb and flag of the installed version.

_suzu() {
  local words=() word glued='' strip text help
  # bash splits words at = and :, suzu does not.
  for word in "${COMP_WORDS[@]:1:COMP_CWORD}"; do
    if [[ ${#words[@]} -gt 0 && ( $word == [=:]* || -n $glued ) ]]; then
      words[-1]+=$word
    else
      words+=("$word")
    fi
    if [[ $word == *[=:] ]]; then glued=yes; else glued=''; fi
  done
  # Remove the part that bash has split off.
  word=${words[-1]}
  strip=${word%"${word##*[=:]}"}
  # An opening quote belongs to bash.
  word=${word#[\'\"]}
  words[-1]=$word

  COMPREPLY=()
  while IFS=$'\t' read -r text help; do
    if [[ $text == :files ]]; then
      compopt -o default -o filenames 2>/dev/null
    else
      text=${text#"$strip"}
      printf -v text %q "$text"
      COMPREPLY+=("$text")
    fi
  done < <("${COMP_WORDS[0]}" __complete -- "${words[@]}" 2>/dev/null)
}

complete -F _suzu suzu
