import { type Client, ServiceError } from '../../../client/client.ts'
import { graceSecondsDefault, graceSecondsMax } from '../../../contract/limits.ts'
import type { SubscriptionUpdate } from '../../../contract/resources/event.ts'
import { canAsk, confirm, confirmable } from '../../ask/ask.ts'
import { CliError, rejectTwo, usage } from '../../base/cli-error.ts'
import { Advised } from '../../base/failure.ts'
import { quoted } from '../../base/shell-word.ts'
import { durationSeconds, noticedTime } from '../../base/times.ts'
import type { CommandFile, Outcome, Session } from '../../command.ts'
import { type IdempotentOptions, idempotent } from '../../connection/idempotency.ts'
import { eachNamed, forEachNamed, inAll, isMany, namesFrom, oneOrMany } from '../../list/several.ts'
import { subscriptionList, subscriptionRecord, subscriptionWithSecret } from '../../views/webhooks.ts'
import {
  doubleOf,
  findSubscriptionId,
  type Rotation,
  rotationNote,
  typesFrom,
  typesOption,
  webhookArgument,
  webhookArguments,
} from '../../webhooks/subscription.ts'

type CreateOptions = IdempotentOptions & { type: string; inactive?: boolean; again?: boolean }

export const create: CommandFile<[string, CreateOptions]> = {
  summary: 'Subscribe an address to events',
  details:
    'The signing secret is shown once: save it where the receiver finds it. If a webhook already sends the same types to the address, custody asks, because the receiver would get each event twice. Without a terminal it exits 5; pass --again to create the webhook anyway.',
  examples: [
    'webhooks create https://hooks.example.com/custody',
    'webhooks create https://hooks.example.com/custody --type transfer.completed,transfer.declined',
    'webhooks create https://hooks.example.com/custody --json | jq -r .secret > webhook.secret',
  ],
  define: (create) =>
    idempotent(create)
      .argument('<url>', "Receiver's https address, reachable from the internet")
      .option(typesOption, 'Only these types, separated by commas', 'all')
      .option('--inactive', 'Send nothing yet')
      .option('--again', 'Create another webhook for the same address'),
  view: () => subscriptionWithSecret,
  async run(session, url, options) {
    const body = { url, event_types: typesFrom(options.type), active: !options.inactive }
    const { client } = await session.targetToWrite()
    // A key makes this a retry, which creates nothing twice.
    if (!options.again && options.idempotencyKey === undefined) await rejectDouble(session, client, body)
    const { data } = await client
      .createSubscription({ body, idempotencyKey: options.idempotencyKey })
      .catch(adviseOnLocal(url))
    await (await session.printer()).one(data)
    session.notice('The secret is shown only now. Replace a lost one with: custody webhooks rotate-secret')
  },
}

/** If the receiver would get events twice, asks. Throws `conflict`, or `interrupted` on no. */
async function rejectDouble(
  session: Session,
  client: Client,
  change: SubscriptionUpdate,
  id?: string,
): Promise<void> {
  const double = await doubleOf(client, change, id)
  if (double === undefined) return
  const words = `${double.url} already has a webhook for such events`
  if (canAsk(session)) return confirm(session, `${words}. Send these events to it a second time?`)
  throw new CliError('conflict', `${words}; nothing was ${id === undefined ? 'created' : 'changed'}.`, {
    hint: `See: custody webhooks show ${double.id}; --again sends these events twice.`,
  })
}

/** A service cannot reach the operator's own machine; `events tail` on that machine can. */
function adviseOnLocal(url: string): (error: unknown) => never {
  return (error) => {
    const isLocal =
      /^https?:\/\/(?:localhost|127\.|0\.0\.0\.0|\[::1\]|10\.|192\.168\.|172\.(?:1[6-9]|2\d|3[01])\.)/i.test(
        url,
      )
    if (!isLocal || !(error instanceof ServiceError) || error.status !== 400) throw error
    throw new Advised(error, `On this machine: custody events tail --follow --forward-to ${quoted(url)}`)
  }
}

type UpdateOptions = {
  url?: string
  type?: string
  activate?: boolean
  deactivate?: boolean
  again?: boolean
}

export const update: CommandFile<[string[], UpdateOptions]> = {
  summary: 'Change webhooks; the rest stays as it is',
  details:
    '--activate reactivates a webhook that was deactivated after days without success. If another webhook already sends the same types to the new address, custody asks. Without a terminal it exits 5; pass --again to change the webhook anyway.',
  examples: [
    'webhooks update https://hooks.example.com/custody --activate',
    'webhooks update 0199a3c4-7a10-7c3e-9b1d-2f6a8e4c5d70 --url https://hooks.example.com/v2 --type all',
  ],
  define: (update) =>
    webhookArguments(update)
      .option('--url <url>', 'New receiver address')
      .option(typesOption, 'Replace the types, separated by commas; all for every type')
      .option('--activate', 'Send events again')
      .option('--deactivate', 'Send nothing until it is activated')
      .option('--again', 'Accept an address that another webhook has'),
  view: (_format, given) => oneOrMany(given, subscriptionRecord, subscriptionList),
  run: change,
}

async function change(session: Session, given: string[], options: UpdateOptions): Promise<Outcome> {
  const body = bodyOf(options)
  if (options.url !== undefined && isMany(given)) throw usage('--url is for one webhook.', 'Name one.')
  const named = await namesFrom(session, given)
  const { client } = await session.target()
  return forEachNamed(session, named, async (name) => {
    const subscription_id = await findSubscriptionId(client, name)
    if ((body.url ?? body.event_types) && !options.again)
      await rejectDouble(session, client, body, subscription_id)
    await session.targetToWrite()
    return (await client.updateSubscription({ params: { subscription_id }, body })).data
  })
}

function bodyOf({ url, type, activate, deactivate }: UpdateOptions): SubscriptionUpdate {
  rejectTwo({ '--activate': activate, '--deactivate': deactivate })
  const isChange = url !== undefined || type !== undefined || activate || deactivate
  if (!isChange) throw usage('Nothing to change: give --url, --type, --activate, or --deactivate.')
  return {
    ...(url !== undefined && { url }),
    ...(type !== undefined && { event_types: typesFrom(type) }),
    ...((activate || deactivate) && { active: activate === true }),
  }
}

export const rm: CommandFile<[string[]]> = {
  summary: 'Delete webhooks and their deliveries',
  examples: ['webhooks rm https://hooks.example.com/custody --yes'],
  define: (rm) => webhookArguments(confirmable(rm)),
  isPlain: true,
  run: removeEach,
}

async function removeEach(session: Session, given: string[]): Promise<Outcome> {
  const named = await namesFrom(session, given)
  const { client } = await session.target()
  // Does not ask about a webhook that does not exist.
  if (!named.isMany) await findSubscriptionId(client, named.names[0] ?? '')
  await confirm(session, `Delete ${inAll(named, 'webhook')} with all deliveries?`, session.targetToWrite)
  return eachNamed(session, named, async (name) => {
    const subscription_id = await findSubscriptionId(client, name)
    await client.deleteSubscription({ params: { subscription_id } })
    session.notice(`Deleted the webhook ${name}.`)
  })
}

type RotateOptions = IdempotentOptions & { grace: string }

export const rotateSecret: CommandFile<[string, RotateOptions]> = {
  summary: 'Create a new secret; both sign for a while',
  details:
    'Give the receiver the new secret within --grace; 0 ends the old one immediately. Only two secrets can sign: if you rotate again from this machine during the grace, custody asks, because the oldest secret then ends immediately.',
  examples: ['webhooks rotate-secret https://hooks.example.com/custody --grace 2h'],
  define: (rotate) =>
    webhookArgument(idempotent(confirmable(rotate))).option(
      '--grace <duration>',
      `How long the old secret also signs, up to ${graceSecondsMax / 86_400}d`,
      `${graceSecondsDefault / 3600}h`,
    ),
  view: () => subscriptionWithSecret,
  run: rotate,
}

async function rotate(session: Session, given: string, options: RotateOptions): Promise<void> {
  const body = { grace_seconds: durationSeconds(options.grace, '--grace') }
  const { client } = await session.target()
  const params = { subscription_id: await findSubscriptionId(client, given) }
  const { running, note } = await rotationNote(session, params.subscription_id)
  const { idempotencyKey } = options
  // A key makes this a retry.
  const earlier = idempotencyKey === undefined ? running() : undefined
  if (earlier) await confirm(session, question(session, earlier), session.targetToWrite)
  await session.targetToWrite()
  const { data } = await client.rotateSubscriptionSecret({ params, body, idempotencyKey })
  note(body.grace_seconds)
  await (await session.printer()).one(data)
  session.notice('The secret is shown only now.')
}

function question({ io }: Session, { at, until }: Rotation): string {
  const [then, end] = [at, until].map((time) => noticedTime(io, time))
  return `The secret replaced on ${then} still signs until ${end}. Rotating again ends it now, and a receiver with only that secret rejects every event. Rotate again?`
}
