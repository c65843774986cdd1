import { dirname, join } from 'node:path'
import { sleep } from '../../../runtime/waiting.ts'
import { lockFile } from '../../../store/sqlite/file-lock.ts'
import { CliError } from '../../base/cli-error.ts'
import { sha256 } from '../../base/crypto.ts'
import { makeFolder } from '../../base/durable-file.ts'
import { unkept } from './kept-file.ts'

/** How often it is asked whether another import of orders has ended. */
const askedAgainMs = 250

/**
 * Keeps a second run of the same import out while this one goes on: two would write into one journal and one errors
 * file. Answers what ends it. Throws `conflict`, and `unreachable` where nothing can be kept there.
 */
export function lockImport(journal: string, file: string): () => void {
  // Not the name that an older custody kept a process number under.
  const unlock = lockIn(dirname(journal), journal.replace(/\.jsonl$/, '.lock'))
  if (unlock !== undefined) return unlock
  throw new CliError('conflict', `${file} is being imported by another process already.`, {
    hint: 'Wait for it to end.',
  })
}

/**
 * Waits until no other file of orders is sent to the target from this machine: what one compares with, another would be ordering
 * meanwhile. Answers what lets the next one begin. Throws `unreachable` where nothing can be kept there.
 */
export async function lockOrders(
  folder: string,
  target: string,
  notice: (text: string) => void,
): Promise<() => void> {
  const path = join(folder, `orders-${sha256(target, 12)}.lock`)
  return lockInTurn(path, () => notice(`Another file of orders is ${waiting}`))
}

/** The same for single orders of one reference: each looks first whether there is one. */
export async function lockReference(
  folder: string,
  target: string,
  reference: string,
  notice: (text: string) => void,
): Promise<() => void> {
  const path = join(folder, `order-${sha256(`${target} ${reference}`, 24)}.lock`)
  return lockInTurn(path, () => notice(`An order ${reference} is ${waiting}`))
}

const waiting = 'being sent by another process: waiting for it to end.'

async function lockInTurn(path: string, say: () => void): Promise<() => void> {
  for (let isTold = false; ; isTold = true) {
    const unlock = lockIn(dirname(path), path)
    if (unlock !== undefined) return unlock
    if (!isTold) say()
    await sleep(askedAgainMs)
  }
}

function lockIn(folder: string, path: string): (() => void) | undefined {
  try {
    makeFolder(folder)
    return lockFile(path)
  } catch (error) {
    throw unkept(folder, error)
  }
}
