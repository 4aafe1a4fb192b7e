# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=bash disable=SC2034  # the help of a candidate is for other shells
# bash completion for suzu: asks the command itself, so that it knows every verb and flag of the version that is installed.

_suzu() {
  local words=() word glued='' strip text help
  # bash divides at = and :, suzu does not.
  for word in "${COMP_WORDS[@]:1:COMP_CWORD}"; do
    if [[ ${#words[@]} -gt 0 && ( $word == [=:]* || -n $glued ) ]]; then
      words[-1]+=$word
    else
      words+=("$word")
    fi
    if [[ $word == *[=:] ]]; then glued=yes; else glued=''; fi
  done
  # What bash has divided off is there already.
  word=${words[-1]}
  strip=${word%"${word##*[=:]}"}
  # An opening quote is bash's, not ours.
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
