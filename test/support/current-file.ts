let number = 0

/** State of one test file ends here. */
export function beginFile(): void {
  number += 1
}

/** The number of the test file in this process: the first, the second... */
export function currentFile(): number {
  return number
}
