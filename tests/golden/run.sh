#!/usr/bin/env bash
# Compares what mikgen prints with the file beside each spec of one folder.
#
#   run.sh MIKGEN STAGE-FOLDER SCRATCH-FOLDER [--update]
#
# The extension of the file beside x.spec says what is expected:
#   x.err   exit status 1, nothing on standard output, this text on standard error
#   x.left  exit status 0, the input byte for byte on standard output, this text on standard error
#   x.loops exit status 0, this text on standard error with --remarks
#   x.ir    --dump-after=STAGE, STAGE being the folder's name
#   x.text  --emit=plan, of which texts.py shows the C
# In the folders keep and keep_err the inputs are x.c and x.cu, whose loops are kept, or are not; x.ir shows their trees.
# In extract and extract_err they are x.c, whose first lines say which function becomes a spec, x.made.
# Options go into the spec's first line: "// mikgen: --fp=strict". A spec without such a file fails.
set -eu -o pipefail
texts=$(realpath "$(dirname "$0")/texts.py")
mikgen=$(realpath "$1") stage=$(basename "$2") out=$3 update=${4:-}
mkdir -p "$out"
out=$(realpath "$out")
export NVCC=false # CUDA files are read alike wherever the toolkit is
cd "$2"
passed=0 failed=0

shopt -s nullglob
case $stage in
extract*) inputs=(*.c) mode="" ;;
keep*) inputs=(*.c *.cu) mode="--keep-loops --emit=ir" ;;
*) inputs=(*.spec) mode="" ;;
esac
for spec in "${inputs[@]}"; do
    name=${spec%.*}
    options="$mode $(sed -n '1s,^// mikgen: ,,p' "$spec")"
    if [ "$mode" ] && [ "$stage" = keep ]; then
        golden=$name.ir status=0
        run() { "$mikgen" $options "$spec"; }
    elif [ "$stage" = extract ]; then
        golden=$name.made status=0
        run() { "$mikgen" $options "$spec"; }
    elif [ -e "$name.left" ]; then
        golden=$name.left status=0
        run() { "$mikgen" --keep-loops "$spec"; }
    elif [ -e "$name.loops" ]; then
        golden=$name.loops status=0
        run() { "$mikgen" --keep-loops --remarks "$spec"; }
    elif [ -e "$name.err" ] || [ "$stage" = err ] || [ "$stage" = keep_err ] || [ "$stage" = extract_err ]; then
        golden=$name.err status=1
        run() { "$mikgen" $options "$spec"; }
    elif [ "$stage" = emit ]; then
        golden=$name.text status=0
        run() { "$mikgen" $options --emit=plan "$spec" | "$texts"; }
    else
        golden=$name.ir status=0
        run() { "$mikgen" $options "--dump-after=$stage" "$spec"; }
    fi
    got=0
    run >"$out/$name.out" 2>"$out/$name.message" </dev/null || got=$?
    result=$out/$name.out
    if [[ $golden == *.left ]]; then
        result=$out/$name.message
        cmp -s "$spec" "$out/$name.out" || got="$got, with another text"
    elif [[ $golden == *.loops ]]; then
        result=$out/$name.message
    elif [ $status = 1 ]; then
        result=$out/$name.message
        [ -s "$out/$name.out" ] && got="$got, with output"
    fi
    [ "$update" = --update ] && [ "$got" = $status ] && cp "$result" "$golden"
    if [ "$got" != $status ]; then
        echo "FAILED: $stage/$spec: exit status $got instead of $status"
        cat "$out/$name.message"
        failed=$((failed + 1))
    elif ! diff -u "$golden" "$result"; then
        echo "FAILED: $stage/$spec"
        failed=$((failed + 1))
    else
        passed=$((passed + 1))
    fi
done
echo "$passed passed, $failed failed"
[ $failed = 0 ] && [ $passed != 0 ]
