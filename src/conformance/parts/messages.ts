import { faulty, present, same } from '../check.ts'
import { shaped, shapes } from '../shapes.ts'
import { csvBytes, entriesOf, seenBy, webhookUrl } from '../world.ts'

export const messageRules = entriesOf({
  '2.11-1 a subscription has id, url, event_types, active, and created_at': (world) =>
    world.subscribed(async ({ id }) => {
      const { data } = await world.client.getSubscription({ params: { subscription_id: id } })
      shaped(data, shapes.subscription, 'the subscription')
    }),
  "2.11-2 a subscription's url must match ^https://": async (world) => {
    for (const url of [webhookUrl.replace('https', 'http'), 'ftp://hooks.partner.example/x', 'hooks']) {
      const json = { url, event_types: ['transfer.requested'] }
      faulty(await world.ask('createSubscription', { json }), 'url')
    }
  },
  '2.12-1 an error has code, message, and extra, all required, and nothing else': seenBy('7-8'),
  '2.12-2 a row error has code, fields (messages by field), message, and row (from 1, without the header)':
    async (world) => {
      const file = csvBytes(
        'description,quantity',
        `${world.unique('Good')},1`,
        `${world.unique('Bad')},none`,
      )
      const { errors, totals } = await world.submitCsv(file)
      shaped(totals, shapes.totals, 'the totals')
      same(totals, { created: 1, failed: 1, submitted: 2 }, 'the totals')
      const error = present(errors[0], 'the row error')
      shaped(error, shapes.rowError, 'the row error')
      same([errors.length, error.row, Object.keys(error.fields)], [1, 2, ['quantity']], 'what it names')
      same(typeof error.fields.quantity?.[0], 'string', 'a message of the field')
    },
  '2.12-3 batch totals have created, failed, and submitted, integers from 0 on': seenBy('2.12-2'),
  '2.13-1 a page has the fields of 2.13; count is of this page, total of all pages': seenBy('2.13-2'),
  '2.13-2 next and previous lead to the neighbouring pages; next is null on the last page': async (world) => {
    const reference = world.unique('PO')
    for (let n = 0; n < 3; n++)
      await world.client.submitManifest({ body: { reference, lines: [{ description: 'A' }] } })
    const page = async (number: number) =>
      (await world.client.listManifests({ query: { reference, page: number, page_size: 1 } })).data
    const [first, second, last] = [await page(1), await page(2), await page(3)]
    shaped(first, shapes.envelope, 'the page')
    same([first.page_size, first.count, first.results.length, first.total], [1, 1, 1, 3], 'its counts')
    same([first.current_page_number, first.previous], [1, null], 'the first page')
    same([first.next_page_number, first.previous_page_number], [2, null], 'on the first page')
    same([second.next_page_number, second.previous_page_number], [3, 1], 'on the second page')
    same([last.next_page_number, last.next, last.previous_page_number], [null, null, 2], 'on the last page')
    same(new URL(second.next ?? '').searchParams.get('page'), '3', 'the page in next')
    same(new URL(second.previous ?? '').searchParams.get('page'), '1', 'the page in previous')
  },
})
