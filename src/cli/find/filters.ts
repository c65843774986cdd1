import { type Command, Option } from 'commander'
import { type WebhookEventType, webhookEventTypes } from '../../contract/enums.ts'
import { pageSizeDefault, pageSizeMax } from '../../contract/limits.ts'
import { type OperationId, operation, type QueryInput } from '../../contract/operations.ts'
import { own } from '../../contract/own.ts'
import { isUuid } from '../../domain/uuid.ts'
import { didYouMean, notOneOf, usage } from '../base/cli-error.ts'
import { type QueryField, queryFields } from '../base/schema-fields.ts'
import { pointInTime } from '../base/times.ts'
import { camelCase, flagNames } from '../command-line/body-flags.ts'

const paging: Readonly<Record<string, string>> = {
  page: 'Page number (default: 1)',
  page_size: `Rows per page, up to ${pageSizeMax} (default: ${pageSizeDefault})`,
}

/** With camelCase names, as commander passes them. */
export type FilterOptions = Readonly<Record<string, unknown>>

/** The operations table is the only source of flags. */
export function addFilters(command: Command, id: OperationId, isWanted: (name: string) => boolean): Command {
  for (const field of queryFields(id)) if (isWanted(field.name)) addFilter(command, field, helpOf(id, field))
  return command
}

type FlagField = Omit<QueryField, 'fallback'>

export function addFilter(command: Command, field: FlagField, about: string): void {
  const flag = `${flagNames(field.name)} <${placeholder(field)}>`
  const option = new Option(flag, about)
  const choices = field.kind === 'choice' ? field.choices : undefined
  if (choices) option.choices(choices)
  if (field.name === 'search') option.argParser(oneText(flag))
  else if (takesSeveral(field)) option.argParser(listed(flag, choices))
  command.addOption(option)
}

function helpOf(id: OperationId, { name, kind, fallback }: QueryField): string {
  const { filters, order } = operation(id)
  const words = { ...filters, ...order }[name]?.words
  if (words === undefined) return own(paging, name) ?? ''
  if (kind === 'time') return `${words}: a date, a time, or an age such as 7d`
  if (name === 'manifest_id') return `${words}: its id or reference`
  return fallback === undefined ? words : `${words} (default: ${fallback})`
}

/** Times and numbers take one value. */
function takesSeveral({ kind, name }: FlagField): boolean {
  return kind === 'choice' ? !name.startsWith('sort_') : kind === 'uuid' || kind === 'text'
}

/** A comma is an error, since other filters would take two values; `\\,` is a comma of the text. */
function oneText(flag: string) {
  return (text: string): string => {
    const [first = '', ...others] = valuesIn(text)
    if (others.length === 0) return first
    const [name] = flag.split(/[ ,]/)
    throw usage(
      `${name} takes one text, but "${text}" is several, separated by commas.`,
      'If the comma belongs to the text, write \\, instead. Otherwise run the command once per text.',
    )
  }
}

function valuesIn(text: string): string[] {
  return text.split(/(?<!\\),/).map((value) => value.replaceAll('\\,', ',').trim())
}

/** Values separated by commas or by repeating the flag; `\\,` is a comma within a value. */
function listed(flag: string, choices?: readonly string[]) {
  return (text: string, before: readonly string[] = []): string[] => {
    const values = valuesIn(text)
    const wrong = choices && values.find((value) => !choices.includes(value))
    if (wrong === undefined) return [...before, ...values]
    const [name = ''] = flag.split(/[ ,]/)
    throw notOneOf(name, wrong, choices ?? [])
  }
}

export function eventId(text: string, option: string): string {
  if (isUuid(text)) return text
  throw usage(`${option}: "${text}" is not the id of an event.`, 'See: custody events ls --columns id,type')
}

/** One query per combination of values, with times in the wire's form. Throws `usage`. */
export function queriesFrom<Id extends OperationId>(
  id: Id,
  options: FilterOptions,
  now: number,
): Array<QueryInput<Id>> {
  let queries: Array<Record<string, unknown>> = [{}]
  for (const field of queryFields(id)) {
    const given = options[camelCase(field.name)]
    if (given === undefined) continue
    const values = [...new Set([given].flat())].map((each) => valueFrom(field, String(each), now))
    queries = queries.flatMap((query) => values.map((value) => ({ ...query, [field.name]: value })))
  }
  if (queries.length <= queriesMax) return queries as Array<QueryInput<Id>>
  throw usage(`These filters combine to ${queries.length} lists; at most ${queriesMax} are read.`)
}

const queriesMax = 100

function valueFrom({ name, kind }: QueryField, text: string, now: number): unknown {
  const flag = `--${name.replaceAll('_', '-')}`
  if (text.trim() === '') throw usage(`${flag} needs a value.`)
  if (kind === 'time') return pointInTime(text, flag, now)
  if (kind !== 'number') return text
  const value = wholeNumber(text, flag, 1)
  if (name !== 'page_size' || value <= pageSizeMax) return value
  throw usage(`${flag}: a page has at most ${pageSizeMax} entries.`, 'For more rows use --limit or --all.')
}

export function wholeNumber(text: string, flag: string, least: number, most = Infinity): number {
  const value = /^\d{1,9}$/.test(text) ? Number(text) : Number.NaN
  if (value >= least && value <= most) return value
  const range = most === Infinity ? `of ${least} or more` : `from ${least} to ${most}`
  throw usage(`${flag}: "${text}" is not a whole number ${range}.`)
}

function placeholder({ kind, name }: FlagField): string {
  if (kind === 'choice') return name.split('_').at(-1) ?? name
  return { number: 'n', time: 'time', uuid: 'id', text: 'text' }[kind]
}

export type TypeFilter = ReadonlySet<string> | undefined

/** Throws `usage` for an unknown type. */
export function eventTypeFilter(text: string | undefined): TypeFilter {
  if (text === undefined) return undefined
  const names = text.split(',').map((name) => name.trim())
  for (const name of names) {
    if (webhookEventTypes.includes(name as WebhookEventType)) continue
    const known = `The types are ${webhookEventTypes.join(', ')}.`
    throw usage(`--type: there is no event type "${name}".`, didYouMean(name, webhookEventTypes, known))
  }
  return new Set(names)
}
