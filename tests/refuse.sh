# SPDX-License-Identifier: GPL-3.0-or-later
# Sourced: fail, refuse, refuse_command, refuse_by_clang, interrupt. Afterwards the file message has what was said last.

fail() { echo "FAILED: $*"; exit 1; }

# ends_with_text TEXT COMMAND...: exit status 1, a message with TEXT, no output, and no new file behind -o.
ends_with_text() {
    local text=$1 status=0 word last= made=
    shift
    for word; do
        [ "$last" != -o ] || [ -e "$word" ] || made=$word
        last=$word
    done
    "$@" >printed 2>message </dev/null || status=$?
    [ $status = 1 ] || { cat message; fail "exit status $status instead of 1: $*"; }
    grep -qF -- "$text" message || { cat message; fail "the message lacks '$text': $*"; }
    [ ! -s printed ] || fail "output in spite of an error: $*"
    [ -z "$made" ] || [ ! -e "$made" ] || fail "$made is there in spite of an error: $*"
}

# refuse_command TEXT COMMAND...: all that, and it is the one message, and has a help.
refuse_command() {
    ends_with_text "$@"
    shift
    [ "$(grep -c 'error: ' message)" = 1 ] || { cat message; fail "not one message: $*"; }
    grep -q '^ *help: ' message || { cat message; fail "no help: $*"; }
}

# refuse TEXT ARGUMENT...: the same of $mikgen with these arguments.
refuse() {
    local text=$1
    shift
    refuse_command "$text" "$mikgen" "$@"
}

# refuse_by_clang TEXT ARGUMENT...: likewise where the message is Clang's, which has no helps and may have several messages.
refuse_by_clang() {
    local text=$1
    shift
    ends_with_text "$text" "$mikgen" "$@"
}

# interrupt CONDITION [NAME=VALUE...] COMMAND...: Ctrl-C as soon as the condition of the shell holds; the command says that it was
# interrupted, and its exit status is that of one that was.
interrupt() {
    local condition=$1 status=0 pid
    shift
    env --default-signal=INT "$@" 2>message &
    pid=$!
    for _ in $(seq 6000); do
        ! eval "$condition" && kill -0 $pid 2>/dev/null || break
        sleep 0.02
    done
    kill -INT $pid || fail "it ended before it could be interrupted: $*"
    wait $pid || status=$?
    [ $status = 130 ] && grep -q 'interrupted' message || { cat message; fail "exit status $status after an interrupt instead of 130: $*"; }
}
