import type { Client } from '../../client/client.ts'
import type { Io } from '../base/io.ts'
import { quoted } from '../base/shell-word.ts'
import { harmless } from '../base/terminal-text.ts'
import { isMissingFile } from '../connection/database-place.ts'
import { targetSettings } from '../connection/target-settings.ts'
import type { Recent, Word } from './values.ts'

/** Completion does not wait for a service that does not answer. */
const maxWait = '1s'
const query = { page: 1, page_size: 100 }

/** The newest names that need no quotes and do not look like options. None if the target cannot be reached. */
export async function recentNames(
  io: Io,
  kind: Recent,
  rest: readonly string[],
  begun: string,
): Promise<Word[]> {
  const options = { ...targetOptions(rest), maxWait, seed: false }
  try {
    const settings = targetSettings(io, options)
    if (settings.kind === 'embedded' && isMissingFile(settings.database.value)) return []
    const { connect } = await import('../connection/connect.ts')
    const { client, close } = await connect(io, options, () => {})
    try {
      const words = (await namesOf(client, kind)).filter(
        ({ word }) => word.startsWith(begun) && !word.startsWith('-') && quoted(word) === word,
      )
      return words.map(({ word, about }) => ({ word, about: harmless(about) }))
    } finally {
      await close()
    }
  } catch {
    return []
  }
}

async function namesOf(client: Client, kind: Recent): Promise<Word[]> {
  switch (kind) {
    case 'manifest': {
      const { data } = await client.listManifests({ query })
      return data.results.map(({ reference, status }) => ({ word: reference, about: status }))
    }
    case 'fulfillment': {
      const { data } = await client.listFulfillments({ query })
      return data.results.map(({ external_ref, id, status }) => ({ word: external_ref ?? id, about: status }))
    }
    case 'transfer': {
      const { data } = await client.listTransfers({ query })
      return data.results.map(({ external_ref, id, status }) => ({ word: external_ref ?? id, about: status }))
    }
    case 'qid': {
      const { data } = await client.listItems({ query })
      return data.results.map(({ qid, name }) => ({ word: qid, about: name }))
    }
  }
}

function targetOptions(rest: readonly string[]): { profile?: string; baseUrl?: string; database?: string } {
  const given = (flag: string): string | undefined => {
    const at = rest.lastIndexOf(flag)
    return at < 0 ? rest.find((word) => word.startsWith(`${flag}=`))?.slice(flag.length + 1) : rest[at + 1]
  }
  const named = {
    profile: given('--profile'),
    baseUrl: given('--base-url'),
    database: given('--database'),
  }
  return Object.fromEntries(Object.entries(named).filter(([, value]) => value !== undefined))
}
