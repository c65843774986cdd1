import { operation, pathOf } from '../../src/contract/operations.ts'
import type { Run } from './commands.ts'
import { textOf } from './errand-files.ts'
import { type ErrandCourse, fileNameOf } from './errands.ts'
import type { Asking } from './making.ts'
import type { Done } from './run.ts'
import { calm, type FaultRates, type Story } from './story.ts'
import type { WarehouseAct } from './warehouse.ts'

/** The shortest story found that fails in the same way: without some deeds, upsets, faults, and repeats. */
export async function shrink(
  story: Story,
  isBad: (story: Story) => Promise<boolean>,
  attemptsMax = 300,
): Promise<Story> {
  let best = story
  let attempts = 0
  const attempt = async (next: Story): Promise<boolean> => {
    if (attempts++ >= attemptsMax || !(await isBad(next))) return false
    best = next
    return true
  }
  for (const name of Object.keys(calm) as Array<keyof FaultRates>)
    if (best.rates[name] > 0) await attempt({ ...best, rates: { ...best.rates, [name]: 0 } })
  await attempt({ ...best, upgradeBefore: undefined })
  await attempt(mapped(best, (deed) => ({ ...deed, issues: 1, again: undefined })))
  for (
    let size = Math.ceil(numbersOf(best).length / 2);
    size >= 1;
    size = size === 1 ? 0 : Math.ceil(size / 2)
  ) {
    for (let at = 0; at < numbersOf(best).length; ) {
      const out = new Set(numbersOf(best).slice(at, at + size))
      if (!(await attempt(without(best, out)))) at += size
    }
  }
  return best
}

/** The failure, without what differs from run to run. */
export function kindOf(fault: string): string {
  return fault.replace(/[\w-]*\d[\w-]*/g, '#').slice(0, 60)
}

function numbersOf({ sessions }: Story): number[] {
  return sessions.flatMap(({ deeds, errands, commands, upsets }) =>
    [...deeds, ...errands, ...commands, ...upsets].map(({ no }) => no),
  )
}

function without(story: Story, out: ReadonlySet<number>): Story {
  const isIn = ({ no }: { no: number }): boolean => !out.has(no)
  const sessions = story.sessions.map(({ deeds, errands, commands, upsets, ...rest }) => ({
    ...rest,
    deeds: deeds.filter(isIn),
    errands: errands.filter(isIn),
    commands: commands.filter(isIn),
    upsets: upsets.filter(isIn),
  }))
  return { ...story, sessions }
}

function mapped(
  story: Story,
  change: (deed: Story['sessions'][number]['deeds'][number]) => typeof deed,
): Story {
  return { ...story, sessions: story.sessions.map((one) => ({ ...one, deeds: one.deeds.map(change) })) }
}

/** A deed as an operator would do it by hand. */
export function commandOf({ deed, act, isStrange }: Done): string {
  const { issues, again, partner } = deed
  const notes = [
    `partner ${partner}`,
    issues > 1 && `${issues} times`,
    again && `once more ${again} sessions later`,
    isStrange && "names what is another partner's",
  ]
  return `custody ${act.id === 'warehouse' ? warehouseCommand(act) : clientCommand(act)}  # ${notes.filter(Boolean).join(', ')}`
}

/** The commands of an errand in order, with the input and result of each. */
export function commandsOf({ errand, files, attempts }: ErrandCourse): string[] {
  const begun = files.map(
    (file) => `cat > ${fileNameOf(errand)} <<< '${textOf(file)}'  # partner ${errand.partner}`,
  )
  return [...begun, ...runsOf(errand.partner, attempts)]
}

/** The runs of a command. */
export function runsOf(partner: number, runs: readonly Run[]): string[] {
  return runs.map(({ args, how, desk, code }) => {
    const notes = Object.entries({ desk, ...how, code }).map(([name, value]) => `${name} ${value}`)
    return `custody ${args.join(' ')}  # partner ${partner}, ${notes.join(', ')}`
  })
}

function warehouseCommand({ request }: WarehouseAct): string {
  if (request.step === 'intake') return `warehouse intake <<< '${JSON.stringify(request)}'`
  const { step, names } = request
  const to = { complete: '--to completed', decline: '--to declined' }[step as string]
  return `warehouse ${to ? 'resolve-transfer' : step} ${names.join(' ')}${to ? ` ${to}` : ''}`
}

function clientCommand(act: Asking): string {
  const { body, params, query, form } = act.request as {
    body?: unknown
    params?: Record<string, string>
    query?: object
    form?: { file: Uint8Array }
  }
  const path = pathOf(act.id, params ?? {})
  const search = new URLSearchParams(
    Object.entries(query ?? {}).filter(([, value]) => value !== undefined),
  ).toString()
  const { method } = operation(act.id)
  const data = form ? Buffer.from(form.file).toString() : body && JSON.stringify(body)
  return `api ${method} ${path}${search && `?${search}`}${data ? ` --input - <<< '${data}'` : ''}`
}
