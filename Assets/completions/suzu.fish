# SPDX-License-Identifier: Apache-2.0
# fish completion for suzu. It calls suzu itself, and so supports every verb and flag of the installed version.

function __suzu_complete
    set -l before (commandline -opc)
    set -l current (commandline -ct)
    for line in ($before[1] __complete -- $before[2..-1] "$current" 2>/dev/null)
        if test "$line" = :files
            __fish_complete_path (string replace -r '^--[^=]*=' '' -- "$current")
        else
            echo $line
        end
    end
end

complete -c suzu -f -a '(__suzu_complete)'
