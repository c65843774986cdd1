import { ServiceError } from '../client/client.ts'
import { NetworkError } from '../client/network-error.ts'
import { type Check, type Entry, shown } from './check.ts'
import { Unseen } from './outcomes.ts'
import type { Subject } from './subject.ts'
import { openWorld, type World } from './world.ts'

type Verdict = 'ok' | 'FAILED' | 'not seen'

/** `seen`: the service's behaviour if it differs, or why it cannot be seen and which test covers it; empty if ok. */
export type Finding = { clause: string; verdict: Verdict; text: string; seen: string }

/** Reports each check as it ends. Throws `NetworkError` if the service does not respond. */
export async function runConformance(
  subject: Subject,
  entries: readonly Entry[],
  tell: (finding: Finding) => Promise<void>,
): Promise<Finding[]> {
  const world = await openWorld(subject)
  const findings: Finding[] = []
  for (const entry of entries) {
    const finding = await examine(world, entry)
    findings.push(finding)
    await tell(finding)
  }
  return findings
}

export async function examine(world: World, entry: Entry): Promise<Finding> {
  const { clause, text } = entry
  if (!('run' in entry)) {
    return { clause, text, verdict: 'not seen', seen: `not seen from outside; ${entry.coveredBy}` }
  }
  if (entry.over === 'http' && !world.subject.raw) {
    return { clause, text, verdict: 'not seen', seen: 'only HTTP has it; give --base-url' }
  }
  return { clause, text, ...(await attempt(world, entry)) }
}

async function attempt(world: World, check: Check): Promise<Pick<Finding, 'verdict' | 'seen'>> {
  try {
    await check.run(world)
    return { verdict: 'ok', seen: '' }
  } catch (error) {
    if (error instanceof Unseen) return { verdict: 'not seen', seen: error.message }
    return { verdict: 'FAILED', seen: told(error) }
  }
}

function told(error: unknown): string {
  if (error instanceof ServiceError) {
    return `the service rejected: ${error.status} ${error.code} ${error.message} ${shown(error.extra)}`
  }
  if (error instanceof NetworkError) return `no answer: ${error.message}`
  return error instanceof Error ? error.message : String(error)
}
