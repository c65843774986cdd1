import { execa } from 'execa'
import { addReached, type Reached } from './states/rare-states.ts'

/** The sums over all stories; `reached`: the rare states. */
export type Sums = ReturnType<typeof noSums> & { reached: Reached }

export const nothingTold = (): Sums => ({ ...noSums(), reached: {} })

const noSums = () => ({
  seeds: 0,
  days: 0,
  operations: 0,
  commands: 0,
  requests: 0,
  upsets: 0,
  events: 0,
  receipts: 0,
  violations: 0,
  cpuSeconds: 0,
})

export function addTo(sums: Sums, more: Sums): void {
  for (const name of Object.keys(noSums()) as Array<keyof ReturnType<typeof noSums>>) sums[name] += more[name]
  addReached(sums.reached, more.reached)
}

/** Several processes, each with every n-th story; findings are printed as they come. */
export async function sumOfWorkers(
  count: number,
  seed: bigint,
  argumentsOf: (seed: bigint) => string[],
  say: (line: string) => void,
): Promise<Sums> {
  const sums = nothingTold()
  const each = Array.from({ length: count }, async (_, n) => {
    const child = execa(process.execPath, argumentsOf(seed + BigInt(n)), {
      stdio: ['ignore', 'pipe', 'inherit'],
      buffer: false,
      reject: false,
    })
    let sum: string | undefined
    for await (const line of child) {
      if (line.startsWith('{')) sum = line
      else say(line)
    }
    if (sum === undefined) throw new Error('a worker ended without its sum')
    addTo(sums, JSON.parse(sum) as Sums)
  })
  await Promise.all(each)
  return sums
}
