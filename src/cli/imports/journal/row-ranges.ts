/** Ascending numbers as `1-3,7`, so that thousands of neighbours are short. */
export function rangesOf(numbers: readonly number[]): string {
  const ranges: Array<[number, number]> = []
  for (const number of numbers) {
    const last = ranges.at(-1)
    if (last?.[1] === number - 1) last[1] = number
    else ranges.push([number, number])
  }
  return ranges.map(([from, to]) => (from === to ? `${from}` : `${from}-${to}`)).join(',')
}

/** Whether a number is in ranges as `rangesOf` writes them. */
export function isInRanges(text: string): (number: number) => boolean {
  const ranges = rangesIn(text)
  const numbers = new Set<number>()
  for (const [from, to] of ranges) for (let number = from; number <= to; number++) numbers.add(number)
  return (number) => numbers.has(number)
}

export function countInRanges(text: string): number {
  return rangesIn(text).reduce((sum, [from, to]) => sum + to - from + 1, 0)
}

function rangesIn(text: string): Array<[number, number]> {
  return text
    .split(',')
    .filter(Boolean)
    .map((range) => {
      const [from = 0, to = from] = range.split('-').map(Number)
      return [from, to]
    })
}
