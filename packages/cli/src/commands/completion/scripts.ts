// The completion scripts. Each gets the words that may come next from the command, so it never becomes outdated.

/** The shells with a script. */
export const shells = ['bash', 'zsh', 'fish'] as const;

export type Shell = (typeof shells)[number];

/** Without candidates, each shell completes names of files. */
export const scripts: Record<Shell, string> = {
  bash: `_landfall() {
  local current="\${COMP_WORDS[COMP_CWORD]}"
  local -a words=("\${COMP_WORDS[@]:1:COMP_CWORD}")
  # After --option= bash makes the equals sign a word of its own.
  [ "$current" = '=' ] && words+=('')
  local IFS=$'\\n'
  COMPREPLY=($("\${COMP_WORDS[0]}" completion bash --words -- "\${words[@]}" 2>/dev/null))
}
complete -o default -F _landfall landfall
`,
  zsh: `#compdef landfall
_landfall() {
  local -a candidates
  candidates=("\${(@f)$("\${words[1]}" completion zsh --words -- "\${(@)words[2,CURRENT]}" 2>/dev/null)}")
  if [[ -n "\${candidates[1]}" ]]; then _describe 'landfall' candidates; else _files; fi
}
if [[ "\${funcstack[1]}" = '_landfall' ]]; then _landfall "$@"; else compdef _landfall landfall; fi
`,
  fish: `function __landfall_candidates
    set -l words (commandline -opc) (commandline -ct)
    set -l candidates ($words[1] completion fish --words -- $words[2..-1] 2>/dev/null)
    if test (count $candidates) -gt 0
        printf '%s\\n' $candidates
    else
        __fish_complete_path (commandline -ct)
    end
end
complete -c landfall -f -a '(__landfall_candidates)'
`,
};
