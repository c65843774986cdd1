import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import buySheet from '../../../fixtures/buy-sheets/two-bad-rows.csv'
import catalog from '../../../fixtures/catalog.csv'
import type { Transfer } from '../../contract/resources/fulfillment.ts'
import type { Item } from '../../contract/resources/item.ts'
import { CliError, type Ending, exitCodes } from '../base/cli-error.ts'
import type { Io } from '../base/io.ts'
import { quoted } from '../base/shell-word.ts'
import { styleFor } from '../base/style.ts'
import { removedAtEnd, temporaryFolder } from '../base/temporary-folder.ts'
import type { LoneCommand, Outcome, Session } from '../command.ts'
import { fitTo } from '../output/fit-to.ts'

export const command: LoneCommand<[]> = {
  details:
    'A catalog; a buy sheet with two bad rows; its arrival with a damaged, a missing, and an unexpected item; orders; a return; a sell-back; the report; and the events. Each step shows the command you would type and its output.',
  examples: ['demo'],
  isOffline: true,
  isPlain: true,
  run: tellStory,
}

type Cast = { boxes: string[]; japan: string; soldBack: string }

async function tellStory(session: Session): Promise<Outcome> {
  const started = session.io.now()
  const stage = await openStage(session)
  try {
    await buy(stage)
    await arrive(stage)
    const cast = await prepare(stage)
    await ship(stage, cast)
    await sellBack(stage, cast)
    await reconcile(stage)
    await lookBack(stage)
    const seconds = ((session.io.now() - started) / 1000).toFixed(1)
    stage.say(
      'Your own sandbox, with sample data, is one command away: custody items ls',
      `That was the whole story, in ${seconds} s`,
    )
  } finally {
    stage.close()
  }
}

async function buy(stage: Stage): Promise<void> {
  stage.write('catalog.csv', catalog)
  stage.write('buy-sheet.csv', buySheet)
  stage.say('Sealed products have your own SKUs. The catalog comes from a CSV file.', '1. Your catalog')
  await stage.run('products import catalog.csv --no-seed')
  stage.say(
    'A buy sheet of twelve rows, two of them bad: a grader without a certificate, and a SKU that is not in the catalog.\nThe good rows are submitted; the bad ones come back with the reason.',
    '2. What you bought',
  )
  const expected = exitCodes.some_failed
  await stage.run('manifests submit buy-sheet.csv --reference BS-4471 --source card_show', { expected })
}

async function arrive(stage: Stage): Promise<void> {
  stage.say(
    'In the sandbox you say what happens: one case is cracked, one of ten holders is missing, the rest is fine.',
    '3. It arrives',
  )
  const columns = 'qid,condition_flags,item.name,item.cert_number'
  const lines = '--line BS-4471-02=1:cracked_case --line BS-4471-11=9'
  await stage.run(`sandbox receive BS-4471 ${lines} --columns ${columns}`)
  stage.say('The box also has a slab that nobody ordered.')
  await stage.run('sandbox intake --manifest BS-4471 --grader PSA --grade 8 --cert-number 48201934 --name', {
    value: '1999 Pokemon Jungle Snorlax Holo #11',
  })
  stage.say(
    'Every item has its own identifier from the moment it is received.',
    '4. What the warehouse holds for you',
  )
  await stage.run('items ls --limit 12')
}

async function prepare(stage: Stage): Promise<Cast> {
  const items = await stage.ask<Item[]>('items ls --all')
  const withCert = (cert: string): string => items.find((item) => item.cert_number === cert)?.qid ?? ''
  const cast = {
    boxes: items
      .filter(({ sku }) => sku === 'PKM-PRE-ETB')
      .map(({ qid }) => qid)
      .slice(0, 2),
    japan: withCert('148333792'),
    soldBack: withCert('136885282'),
  }
  stage.say('Four of them are ready to be shipped or sold.', '5. Photographed and stored')
  const ready = [...cast.boxes, cast.japan, cast.soldBack].join(' ')
  await stage.run(`sandbox advance ${ready} --to available`)
  return cast
}

async function ship(stage: Stage, cast: Cast): Promise<void> {
  const orders = `qid,sku,quantity,recipient_name,street,street_2,city,state,zip,country,external_ref
,PKM-PRE-ETB,2,Grace Okafor,2217 SE Alder Street,Apt 4,Portland,OR,97214,US,WEB-20418
${cast.japan},,,佐藤 美咲,神宮前3丁目14-8,メゾン青葉 205号室,渋谷区,東京都,150-0001,JP,WEB-20430
`
  stage.write('orders.csv', orders)
  stage.say(
    'Two customers: one orders two boxes by SKU, the other a particular slab by its QID.',
    '6. Orders',
  )
  await stage.run('fulfillments import orders.csv')
  await stage.run('fulfillments ls')
  stage.say('The first is delivered, the second comes back.')
  await stage.run('sandbox fulfillment WEB-20418 --to delivered')
  await stage.run('sandbox fulfillment WEB-20430 --to returned')
  await stage.run(`items show ${cast.japan}`)
}

async function sellBack(stage: Stage, { soldBack }: Cast): Promise<void> {
  stage.say('One slab is sold back without ever leaving the warehouse.', '7. Sell-back')
  await stage.run(`transfers request ${soldBack} --external-ref SB-0301`)
  const [transfer] = await stage.ask<Transfer[]>('transfers ls')
  await stage.run(`sandbox transfer ${transfer?.id ?? ''} --to completed`)
}

async function reconcile(stage: Stage): Promise<void> {
  stage.say('Nothing more will arrive. Closing the manifest makes the report final.', '8. Reconcile')
  await stage.run('manifests close BS-4471 --yes --summary-columns reference,status')
  await stage.run('manifests report BS-4471')
}

async function lookBack(stage: Stage): Promise<void> {
  stage.say(
    'Every change is an event; other systems follow them with events tail --follow.',
    '9. Everything that happened',
  )
  await stage.run('items summary')
  await stage.run('events tail --limit 12')
}

/** A folder with a database of its own, in which the real commands run. */
type Stage = {
  write(file: string, text: string): void
  /** `title` begins a new chapter. */
  say(text: string, title?: string): void
  /** `value`: a last argument that contains blanks. Throws `CliError` if the exit code is not `expected`. */
  run(command: string, more?: { value?: string; expected?: number }): Promise<void>
  ask<T>(command: string): Promise<T>
  close(): void
}

/** Throws `CliError` if the folder cannot be created. */
async function openStage({ io, options, program }: Session): Promise<Stage> {
  const folder = temporaryFolder('custody-demo-')
  const close = removedAtEnd(folder)
  const style = await styleFor(io.out, io.env)
  const fitted = await fitTo(io.out)
  // A command that could ask would stop the story for an answer.
  const stdin = { ...io.stdin, isTerminal: false }
  const inFolder = { ...io, stdin, cwd: folder, env: envIn(folder, io.env) }
  const common = [...(options.color === false ? ['--no-color'] : []), ...(options.debug ? ['--debug'] : [])]
  return {
    write: (file, text) => writeFileSync(join(folder, file), text),
    say: (text, title) => {
      const heading = title === undefined ? '' : `${style.bold(style.cyan(title))}\n`
      io.out.write(`\n${heading}${fitted(text)}\n`)
    },
    async run(command, { value, expected = 0 } = {}) {
      const args = [...command.split(' '), ...(value === undefined ? [] : [value])]
      io.out.write(`\n${style.dim('$')} ${style.bold(`custody ${args.map(quoted).join(' ')}`)}\n`)
      checkCode(args, await program.run([...args, ...common], inFolder), expected)
    },
    async ask<T>(command: string) {
      const args = command.split(' ')
      let text = ''
      const collect = (part: string): void => {
        text += part
      }
      const out = { write: collect, isTerminal: false, columns: () => 80 }
      const err = { ...out, write: () => {} }
      checkCode(args, await program.run([...args, '--json'], { ...inFolder, out, err }), 0)
      return JSON.parse(text) as T
    },
    close,
  }
}

/** Hides the operator's own targets, files, and settings. */
function envIn(folder: string, env: Io['env']): Io['env'] {
  const others = Object.entries(env).filter(([name]) => !name.startsWith('CUSTODY_'))
  const own = { XDG_CONFIG_HOME: folder, XDG_DATA_HOME: folder, XDG_STATE_HOME: folder }
  return {
    ...Object.fromEntries(others),
    ...own,
    CUSTODY_DATABASE: join(folder, 'demo.db'),
    CUSTODY_PAGER: '',
  }
}

/** A command that failed has said why; the demo exits with the same code. */
function checkCode(args: readonly string[], code: number, expected: number): void {
  if (code === expected) return
  const message = `The demo stopped: custody ${args.join(' ')} exited ${code}, not ${expected}.`
  const endings = Object.entries(exitCodes) as Array<[Ending, number]>
  throw new CliError(endings.find(([, number]) => number === code)?.[0] ?? 'internal', message)
}
