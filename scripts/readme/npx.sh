# The npx of a document's shell. `npx` starts npm, which takes twice the processor time of the command that it then starts.
# So the real one runs the first command with each program, and the next ones run the program that it found.
declare -A found_by_npx
npx() {
  local program="$PWD/node_modules/.bin/$1"
  if [[ -x $program && -n ${found_by_npx[$program]-} ]]; then
    "$program" "${@:2}"
  else
    found_by_npx[$program]=yes
    command npx "$@"
  fi
}
