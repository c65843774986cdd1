let number = 0

/** What a process keeps for a test file alone ends here. */
export function beginFile(): void {
  number += 1
}

/** Which test file of this process runs: the first, the second... */
export function currentFile(): number {
  return number
}
