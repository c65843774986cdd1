export const shells = ['bash', 'zsh', 'fish', 'powershell'] as const
export type Shell = (typeof shells)[number]

/** Calls `custody __complete -- WORDS .CURRENT`: the dot keeps an empty word. `:files` adds file names, `:open` no space. */
export function completionScript(shell: Shell): string {
  return scripts[shell].trimStart()
}

// Readline also splits words at = and :, so they are joined first and split again at the end.
const bash = `
# bash completion of custody. For every shell, add to ~/.bashrc:  source <(custody completion bash)
_custody() {
  local i word about cur prefix files='' words=()
  for ((i = 1; i <= COMP_CWORD; i++)); do
    word=\${COMP_WORDS[i]}
    if ((i > 1)) && [[ $word == [=:] || \${COMP_WORDS[i - 1]} == [=:] ]]; then
      words[\${#words[@]} - 1]+=$word
    else
      words+=("$word")
    fi
  done
  cur=\${words[\${#words[@]} - 1]}
  unset "words[\${#words[@]} - 1]"
  prefix=''
  [[ $cur == *[=:]* ]] && prefix=\${cur%"\${cur##*[=:]}"}
  COMPREPLY=()
  while IFS=$'\\t' read -r word about; do
    case $word in
      :files) files=yes ;;
      :open) compopt -o nospace 2>/dev/null ;;
      *) COMPREPLY+=("\${word#"$prefix"}") ;;
    esac
  done < <(custody __complete -- \${words[@]+"\${words[@]}"} ".$cur" 2>/dev/null)
  if [[ -n $files ]]; then
    compopt -o filenames 2>/dev/null
    while IFS= read -r word; do COMPREPLY+=("$word"); done < <(compgen -f -- "\${cur#"$prefix"}")
  fi
}
complete -F _custody custody
`

const zsh = `
#compdef custody
# zsh completion of custody. For every shell, add to ~/.zshrc after compinit:  source <(custody completion zsh)
_custody() {
  local line word about files= open= result=1
  local -a found
  for line in "\${(@f)$(custody __complete -- "\${(@)words[2,CURRENT-1]}" ".\${words[CURRENT]}" 2>/dev/null)}"; do
    case $line in
      '') ;;
      :files) files=yes ;;
      :open) open=yes ;;
      *)
        word=\${line%%$'\\t'*} about=\${line#*$'\\t'}
        found+=("\${word//:/\\\\:}\${about:+:$about}")
        ;;
    esac
  done
  if [[ -n $open ]]; then
    _describe custody found -S '' && result=0
  elif (( \${#found} )); then
    _describe custody found && result=0
  fi
  [[ -n $files ]] && _files && result=0
  return result
}
if [[ \${funcstack[1]} == _custody ]]; then
  _custody "$@"
else
  compdef _custody custody
fi
`

const fish = `
# fish completion of custody. For every shell:  custody completion fish > ~/.config/fish/completions/custody.fish
function __custody_complete
    set -l words (commandline -opc)
    set -l current (commandline -ct)
    for line in (custody __complete -- $words[2..-1] ".$current" 2>/dev/null)
        switch $line
            case ':files'
                __fish_complete_path "$current"
            case ':open'
            case '*'
                echo $line
        end
    end
end
complete -c custody -f -a '(__custody_complete)'
`

const powershell = `
# PowerShell completion of custody. For every shell, add to $PROFILE:
#   custody completion powershell | Out-String | Invoke-Expression
Register-ArgumentCompleter -Native -CommandName custody -ScriptBlock {
  param($wordToComplete, $commandAst, $cursorPosition)
  $words = @($commandAst.CommandElements | Select-Object -Skip 1 |
    Where-Object { $_.Extent.EndOffset -lt $cursorPosition } | ForEach-Object { $_.ToString() })
  $lines = @(custody __complete '--' @words ".$wordToComplete" 2>$null)
  # If nothing is returned, PowerShell completes file names by itself; $null prevents that.
  if ($lines -contains ':files') { return }
  $found = @($lines | Where-Object { $_ -and $_ -ne ':open' })
  if ($found.Count -eq 0) { return $null }
  $found | ForEach-Object {
    $word, $about = $_ -split "\`t", 2
    if (-not $about) { $about = $word }
    [System.Management.Automation.CompletionResult]::new($word, $word, 'ParameterValue', $about)
  }
}
`

const scripts: Readonly<Record<Shell, string>> = { bash, zsh, fish, powershell }
