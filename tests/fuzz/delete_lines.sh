# SPDX-License-Identifier: GPL-3.0-or-later
# Sourced: deletes lines and blocks of a file, as long as `shows FILE ARGUMENT...` stays true.

# The line that closes the block which line $2 of file $1 opens.
closing() {
    awk -v from="$2" 'NR == from { match($0, /^ */); indent = RLENGTH; next }
        NR > from { match($0, /^ */); if (RLENGTH == indent && $0 ~ /^ *}/) { print NR; exit } }' "$1"
}

# delete_lines FILE FIRST ARGUMENT...: of the lines from FIRST on, as many as can be left out.
delete_lines() {
    local file=$1 first=$2 changed=1 line edit end edits candidate=candidate.${1##*.}
    shift 2
    while [ $changed = 1 ]; do
        changed=0
        for ((line = $(wc -l <"$file"); line >= first; line--)); do
            edits=("${line}d")
            case $(sed -n "${line}p" "$file") in *'{')
                end=$(closing "$file" "$line")
                [ -z "$end" ] || edits=("$line,${end}d" "${line}d;${end}d")
                ;;
            esac
            for edit in "${edits[@]}"; do
                sed "$edit" "$file" >"$candidate"
                if shows "$candidate" "$@"; then
                    cp "$candidate" "$file"
                    changed=1
                    break
                fi
            done
        done
    done
}
