import { rejectTwo } from '../../base/cli-error.ts'
import type { CommandFile } from '../../command.ts'
import { isMissingFile } from '../../connection/database-place.ts'
import { scopeTime } from '../../connection/scope-time.ts'
import { targetSettings } from '../../connection/target-settings.ts'
import { columnsOf, type View } from '../../output/columns.ts'
import type { Seeded } from '../../seed/seed.ts'

export const command: CommandFile<[]> = {
  summary: 'Fill the sandbox with sample data',
  details: 'Creates the sandbox, or the named database, if it does not exist. Running it again adds nothing.',
  examples: ['sandbox seed', 'sandbox seed --database demo.db'],
  view: () => view,
  async run(session) {
    const isWithout = session.options.seed === false
    const hint = 'For an empty sandbox: custody sandbox reset --no-seed'
    rejectTwo({ '--no-seed': isWithout, 'sandbox seed': true }, hint)
    const settings = targetSettings(session.io, session.options)
    const isNew = settings.kind === 'embedded' && isMissingFile(settings.database.value)
    const { client } = await session.targetToWrite('samples')
    if (isNew) return
    const { isBegun, isSeeded, seed } = await import('../../seed/seed.ts')
    if (await isSeeded(client)) return session.notice('The sample data already exist; nothing was added.')
    if (await isBegun(client)) session.notice('An earlier run was cut off; this one adds what is missing.')
    const seeded = await seed(client, () => scopeTime(session))
    await (await session.printer()).one(seeded)
  },
}

const view: View = {
  columns: columnsOf<Seeded>('products', 'manifests', 'items', 'fulfillments', 'transfers'),
}
