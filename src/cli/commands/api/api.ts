import type { Command } from 'commander'
import type { Answer } from '../../../client/client.ts'
import { hasNextPage } from '../../../client/whole-manifest.ts'
import { operation as operationOf } from '../../../contract/operations.ts'
import { usage } from '../../base/cli-error.ts'
import { jsonText } from '../../base/terminal-text.ts'
import type { CommandFile, Session } from '../../command.ts'
import { collect } from '../../command-line/collect.ts'
import { type IdempotentOptions, idempotent } from '../../connection/idempotency.ts'
import type { JqOutlet } from '../../output/jq.ts'
import { findOperation } from './find-operation.ts'
import { type Fields, requestFrom } from './request.ts'

type Options = IdempotentOptions & { field?: string[]; input?: string; paginate?: boolean; jq?: string }

export const command: CommandFile<[string, string, Options]> = {
  summary: 'Call any operation by its method and path',
  details:
    'Prints the answer unchanged. custody adds the key and an Idempotency-Key and retries, as in every command. `custody openapi` lists all operations. A --field goes into the query, the body, or the form: as text if the field is text, otherwise as JSON. --input is a JSON body, or the CSV of an upload.',
  examples: [
    'api GET /items --field status=available --jq ".results[].qid"',
    'api POST /transfers/0198c5b2-6d5b-7cc1-a1b3-0f4d1a1c5d11/cancel',
    'api POST /manifests/csv --field reference=PO-7 --input po-7.csv',
    'api GET /events --paginate --jq ".results[] | .type"',
  ],
  define,
  isPlain: true,
  run,
}

function define(api: Command): void {
  api.argument('<method>', 'GET, POST, PATCH or DELETE')
  api.argument('<path>', 'Path below /v1, with a query if needed')
  api.option('--field <name=value>', 'One field; nested as in weight.unit=oz', collect)
  api.option('--input <file>', 'Read the body from a file; - for stdin')
  api.option('--paginate', 'Print the following pages too')
  api.option('--jq <program>', 'Filter the answer with a jq program')
  idempotent(api)
}

async function run(session: Session, method: string, path: string, options: Options): Promise<void> {
  const found = findOperation(method.toUpperCase(), path)
  const isRead = operationOf(found.id).method === 'GET'
  if (options.paginate && !isRead) throw usage('--paginate is for GET: nothing else has pages.')
  const request = await requestFrom(session.io, found, options)
  const jq = await jqOf(session, options.jq, isRead)
  const { client } = isRead ? await session.target() : await session.targetToWrite()
  const call = client[found.id] as (request: object) => Promise<Answer<unknown>>
  for (let query: Fields | undefined = request.query; query !== undefined; ) {
    const answer = await call({ ...request, query })
    await print(session, answer.text, jq)
    query = options.paginate ? nextQuery(answer, query) : undefined
  }
}

async function print({ io }: Session, text: string, jq: JqOutlet | undefined): Promise<void> {
  if (text === '') return
  if (jq === undefined)
    return io.out.write(`${io.out.isTerminal ? jsonText(JSON.parse(text), 2) : text}\n`, true)
  jq.out.write(`${text}\n`)
  await jq.flush()
}

async function jqOf(
  { io, notice }: Session,
  program: string | undefined,
  isRead: boolean,
): Promise<JqOutlet | undefined> {
  if (program === undefined) return undefined
  const { openJq } = await import('../../output/jq.ts')
  return openJq(program, io.out, { isWriting: () => !isRead, warn: notice })
}

type Paged = { next_page_number?: unknown; has_more?: unknown; next_starting_after?: unknown }

/** The query of the next page, in whichever of the three ways the list has pages. */
function nextQuery(answer: Answer<unknown>, query: Fields): Fields | undefined {
  const { next_page_number, has_more, next_starting_after } = answer.data as Paged
  if (typeof next_page_number === 'number') return { ...query, page: next_page_number }
  if (has_more === true && next_starting_after) return { ...query, starting_after: next_starting_after }
  return hasNextPage(answer) ? { ...query, page: Number(query.page ?? 1) + 1 } : undefined
}
