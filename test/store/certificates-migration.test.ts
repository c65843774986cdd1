import { expect, test } from 'vitest'
import { sql } from '../../src/store/database.ts'
import { checkDatabase } from '../../src/store/maintenance/check.ts'
import { migrate } from '../../src/store/migrate.ts'
import { databases, startHarness } from '../support/harness.ts'
import { arrive, slab, slabLine, submit } from '../support/manifests.ts'
import { versionsAfter } from '../support/schema-versions.ts'

test.each(databases)(
  'certificates and graders from before migration 15 are found in any spelling after it, over $name',
  async (database) => {
    const harness = await startHarness(database)
    const { client } = harness
    // More rows than one step rewrites.
    const many = Array.from({ length: 600 }, (_, at) => `00${at + 1}`)
    const lines = many.map((cert) => slabLine(cert, 'Beckett'))
    const { id } = await submit(client, 'PO-1', lines)
    const early = many.slice(0, 50).map((cert) => slab(cert, { grader: 'Beckett' }))
    await arrive(client, early)
    await harness.db.write(async (tx) => {
      for (const table of [sql`items`, sql`manifest_lines`])
        await tx.run(sql`update ${table} set cert_key = '00' || cert_key`)
      await tx.run(sql`update intakes set cert_number = '00' || cert_number`)
      await tx.run(sql`update items set grader_key = 'BECKETT'`)
      await tx.run(sql`update counts set key = replace(key, 'BGS', 'BECKETT') where kind = 'items'`)
      await tx.run(sql`alter table phrases drop column facts`)
      await tx.run(sql`drop table arrival_files`)
      await tx.run(sql`delete from schema_version where version >= 15`)
    })
    expect((await client.listItems({ query: { cert_number: '50' } })).data.total).toBe(0)
    await harness.db.write((tx) => tx.run(sql`alter table api_keys drop column replaced_at`))
    expect(await migrate(harness.db)).toEqual(versionsAfter(14))
    expect(await checkDatabase(harness.db)).toEqual([])
    const query = { cert_number: '00050', grader: 'bgs' }
    expect((await client.listItems({ query })).data.total).toBe(1)
    expect((await client.listIntakes({ query: { cert_number: '5-0' } })).data.total).toBe(1)
    const [late] = await arrive(client, [slab('600', { grader: 'BGS' })])
    expect(late?.manifest_id).toBe(id)
    await harness.close()
  },
)

test.each(databases)(
  'graders from before migration 18 are listed and counted by the name that custody knows now, over $name',
  async (database) => {
    const harness = await startHarness(database)
    const { client } = harness
    const names = ['Certified Guaranty Company (CGC)', 'Beckett Authentication Services', 'Beckett', 'PSA']
    await arrive(
      client,
      names.map((grader, at) => slab(`4012345678${at}`, { grader })),
    )
    await harness.db.write(async (tx) => {
      await tx.run(
        sql`update items set grader_key = 'CERTIFIED GUARANTY COMPANY (CGC)' where grader_key = 'CGC'`,
      )
      await tx.run(sql`update items set grader_key = 'BGS' where grader_key like '%AUTH%'`)
      await tx.run(sql`delete from counts where kind = 'items'`)
      await tx.run(sql`
        insert into counts (scope_id, kind, key, n)
        select scope_id, 'items', status || '|' || grader_key, count(*) from items group by scope_id, status, grader_key`)
      await tx.run(sql`delete from schema_version where version >= 18`)
    })
    const found = async (grader: string) => (await client.listItems({ query: { grader } })).data.total
    expect([await found('BGS'), await found('CGC')]).toEqual([2, 0])
    await harness.db.write((tx) => tx.run(sql`alter table api_keys drop column replaced_at`))
    await migrate(harness.db)
    expect(await checkDatabase(harness.db)).toEqual([])
    expect([await found('BGS'), await found('CGC')]).toEqual([1, 1])
    expect(await found('Beckett Authentication Services')).toBe(1)
    await harness.close()
  },
)

test.each(databases)(
  'certificates with the name of their grader from before migration 19 are found by number after it, over $name',
  async (database) => {
    const harness = await startHarness(database)
    const { client } = harness
    const { id } = await submit(client, 'PO-1', [
      slabLine('PSA 48201934', 'PSA'),
      slabLine('Cert #48201935', 'PSA'),
      slabLine('PSA 10 GEM MT 48201936', 'PSA'),
    ])
    await arrive(client, [slab('PSA 48201934', { grader: 'PSA' })])
    await harness.db.write(async (tx) => {
      for (const table of [sql`items`, sql`manifest_lines`]) {
        await tx.run(sql`update ${table} set cert_key = 'PSA48201934' where cert_key = '48201934'`)
        await tx.run(sql`update ${table} set cert_key = 'CERT#48201935' where cert_key = '48201935'`)
        // Without its spaces, only the document says which digits are its number.
        await tx.run(sql`update ${table} set cert_key = 'PSA10GEMMT48201936' where cert_key = '48201936'`)
      }
      await tx.run(sql`update intakes set cert_number = 'PSA48201934' where cert_number = '48201934'`)
      await tx.run(sql`delete from schema_version where version >= 19`)
    })
    const query = { cert_number: '48201934' }
    expect((await client.listItems({ query })).data.total).toBe(0)
    await harness.db.write((tx) => tx.run(sql`alter table api_keys drop column replaced_at`))
    expect(await migrate(harness.db)).toEqual(versionsAfter(18))
    expect(await checkDatabase(harness.db)).toEqual([])
    expect((await client.listItems({ query })).data.total).toBe(1)
    expect((await client.listIntakes({ query })).data.total).toBe(1)
    for (const cert of ['48201935', '48201936']) {
      const [late] = await arrive(client, [slab(cert, { grader: 'PSA' })])
      expect(late?.manifest_id).toBe(id)
    }
    await harness.close()
  },
)

test.each(databases)(
  'descriptions that were read before migration 22 are read anew after it, over $name',
  async (database) => {
    const harness = await startHarness(database)
    await submit(harness.client, 'PO-1', ['Topps T87-5 Jose Canseco PSA 9'])
    await harness.db.write(async (tx) => {
      await tx.run(
        sql`update phrases set facts = '{"fractions":[],"years":[],"loose":["87"],"languages":[]}'`,
      )
      await tx.run(sql`delete from schema_version where version >= 22`)
    })
    expect(await checkDatabase(harness.db)).not.toEqual([])
    expect(await migrate(harness.db)).toEqual(versionsAfter(21))
    expect(await checkDatabase(harness.db)).toEqual([])
    await harness.close()
  },
)
