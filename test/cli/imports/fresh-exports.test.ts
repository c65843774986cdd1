import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, expect, test } from 'vitest'
import type { Fulfillment } from '../../../src/contract/resources/fulfillment.ts'
import type { ManifestWithLines } from '../../../src/contract/resources/manifest.ts'
import type { Product } from '../../../src/contract/resources/product.ts'
import { cliUser, forAllTests } from '../../support/each.ts'

const user = forAllTests(cliUser)
let env: Record<string, string>
beforeAll(async () => {
  env = { CUSTODY_DATABASE: join(user.home, 'own.db') }
  await done('sandbox', 'reset', '--no-seed', '--yes')
})

/** Headers as the sites write them, with values from no sample. The import must match what a reader of the file expects. */
const purchases: Array<[name: string, file: string, lines: string[]]> = [
  [
    'PSA My Collection',
    `Item Status,Item,Cert Number,Grade Issuer,Grade,Autograph Grade,Year,Set,Card Number,Subject,Variety,Serial,Category,My Cost,PSA Estimate,Gain/Loss,My Value,Date Acquired,Source,My Notes,Vault Status,Vaulted Date,Days Vaulted,Listing Status,Listing Date,Listing Price,Sold Status,Sold On,Sold Date,Sold Price,Sold Fees,Sold Proceeds,Payment Date
In Vault,1996 Finest Kobe Bryant,48120377,PSA,MINT 9,-,1996,Topps Finest,74,KOBE BRYANT,W/COATING,-,Basketball,$410.00,$455.00,$45.00,$455.00,3/14/2026,eBay,-,Vaulted,3/20/2026,12,-,-,-,-,-,-,-,-,-,-
In Vault,2019 Mosaic Zion,61044215,PSA,GEM MT 10,-,2019,Panini Mosaic,209,ZION WILLIAMSON,-,-,Basketball,$88.00,$90.00,$2.00,$90.00,3/15/2026,eBay,-,Vaulted,3/20/2026,12,-,-,-,Sold,eBay,4/2/2026,$120.00,$12.00,$108.00,4/9/2026
`,
    ['PSA 48120377 1 1996 Topps Finest KOBE BRYANT W/COATING #74 PSA MINT 9'],
  ],
  [
    'PSA purchases',
    `Purchase history
Exported 6/2/2026

cert number,listing title,grade,price paid,date,invoice date,was refunded?
73120948,"2018 Topps Update Juan Soto #US300",GEM MINT 10,"$1,120.00",5/30/2026,6/1/2026,No
70555812,2003 Topps Chrome Carmelo Anthony #113,MINT 9,$240.50,5/30/2026,6/1/2026,Yes
`,
    ['PSA 73120948 1 2018 Topps Update Juan Soto #US300'],
  ],
  [
    'eBay purchases',
    `Order Number,Order Date,Item ID,Seller,Item Name,Item Price,Currency,Order Total,Order Notes,Tracking Number,View Order Detail
17-12345-90210,"May 3, 2026",256012345678,cards_of_ulm,"Pokémon Neo Destiny Light Arcanine 12/105 1st Ed.",€61.00,EUR,€66.90,,,https://www.ebay.com/ord/17-12345-90210
`,
    ['- - 1 Pokémon Neo Destiny Light Arcanine 12/105 1st Ed.'],
  ],
  [
    'Whatnot orders',
    `order id,order numeric id,buyer,seller,product name,product description,product category,processed date,order status,order style,order currency,sold price,quantity,subtotal,shipping price,taxes,taxes currency,credits applied,total
T3JkZXI6OTE=,913377001,northgate,breaksbylu,2023 Prizm Break Spot #4,,Sports Cards,2026-05-09 20:14:11,completed,auction,USD,31.00,2,62.00,4.10,5.02,USD,0,71.12
T3JkZXI6OTI=,913377002,northgate,breaksbylu,2023 Prizm Break Spot #9,,Sports Cards,2026-05-09 20:19:40,cancelled,auction,USD,18.00,1,18.00,0,1.46,USD,0,19.46
`,
    ['- - 2 2023 Prizm Break Spot #4'],
  ],
  [
    'Card Ladder collection',
    `Date Purchased,Quantity,Player,Year,Set,Variation,Number,Category,Condition,Investment,Estimated Value,Potential Profit,Ladder ID,Slab Serial #,Population,Query,Tags,Notes
1/8/2026,1,Ja Morant,2019,Panini Select,Silver Prizm,67,Basketball,BGS 9.5,140,155,15,8f2c,13094471,211,,,
1/8/2026,1,Tim Duncan,1997,Topps Chrome,Refractor,115,Basketball,PSA 8,900,990,90,8f2d,30551277,340,,,
`,
    [
      'BGS 0013094471 1 2019 Panini Select Ja Morant Silver Prizm #67 BGS 9.5',
      'PSA 30551277 1 1997 Topps Chrome Tim Duncan Refractor #115 PSA 8',
    ],
  ],
  [
    'Collectr portfolio',
    `Portfolio Name,Category,Set,Product Name,Card Number,Rarity,Variance,Grade,Card Condition,Average Cost Paid,Quantity,Market Price (As of 2026-10-30),Price Override,Watchlist,Date Added,Notes
Main,Pokemon,Evolving Skies,Umbreon V (Alternate Full Art),189/203,Ultra Rare,Holofoil,PSA 9,Near Mint,301.00,1,340.11,0,false,2026-09-01,
Main,Pokemon,Silver Tempest,Lugia V,138/195,Ultra Rare,Holofoil,Ungraded,Near Mint,12.00,4,14.00,0,false,2026-09-01,
Main,Pokemon,Lost Origin,Giratina V,130/196,Ultra Rare,Holofoil,Ungraded,Near Mint,0,1,9.00,0,true,2026-09-01,
`,
    [
      '- - 1 Evolving Skies Umbreon V (Alternate Full Art) Holofoil 189/203 PSA 9',
      '- - 4 Silver Tempest Lugia V Holofoil 138/195',
    ],
  ],
  [
    'TCGplayer pricing',
    `TCGplayer Id,Product Line,Set Name,Product Name,Title,Number,Rarity,Condition,TCG Market Price,TCG Direct Low,TCG Low Price With Shipping,TCG Low Price,Total Quantity,Add to Quantity,TCG Marketplace Price,Photo URL
"7110342","Magic","Bloomburrow","Season of Gathering","","192","M","Near Mint","2.11","","2.90","1.75","3","0","2.40",""
"7110343","Magic","Bloomburrow","Stormsplitter","","154","M","Lightly Played","4.05","","4.50","3.60","0","0","4.20",""
`.replaceAll('\n', '\r\n'),
    ['- - 3 Bloomburrow Season of Gathering 192 Near Mint'],
  ],
]

test.each(purchases)('%s', async (name, file, lines) => {
  const reference = name.replaceAll(' ', '-')
  const { code, err } = await submit(reference, file)
  expect([code, err]).toEqual([0, expect.stringContaining(`Recognised: ${name}; `)])
  expect(err).not.toMatch(/failed|warning/i)
  const manifest: ManifestWithLines = JSON.parse(await done('manifests', 'show', reference, '--json'))
  expect(
    manifest.lines.map(({ grader, cert_number, quantity, description }) =>
      [grader ?? '-', cert_number ?? '-', quantity, description].join(' '),
    ),
  ).toEqual(lines)
})

const catalog = `Title,URL handle,Description,Vendor,Product category,Type,Tags,Published on online store,Status,SKU,Barcode,Option1 name,Option1 value,Option2 name,Option2 value,Price,Compare-at price,Cost per item,Weight value (grams),Weight unit for display,Product image URL,Variant image URL
"Binder, 9-Pocket",binder-9,"<p>Zip.</p>",Northgate,,Supplies,,TRUE,Active,NG-BND-BLK,4006381333931,Colour,Black,,,39.00,,18.00,980,g,https://cdn.example.com/b.jpg,https://cdn.example.com/b1.jpg
,binder-9,,,,,,,,NG-BND-RED,4006381333948,Colour,Red,,,39.00,,18.00,980,g,,https://cdn.example.com/b2.jpg
Penny Sleeves (100),sleeves,,Northgate,,Supplies,,TRUE,Active,NG-SLV-100,,Title,Default Title,,,2.00,,0.40,45,g,,
`

const orders = {
  header:
    'Name,Email,Financial Status,Paid at,Fulfillment Status,Fulfilled at,Accepts Marketing,Currency,Subtotal,Shipping,Taxes,Total,Discount Code,Discount Amount,Shipping Method,Created at,Lineitem quantity,Lineitem name,Lineitem price,Lineitem compare at price,Lineitem sku,Lineitem requires shipping,Lineitem taxable,Lineitem fulfillment status,Billing Name,Shipping Name,Shipping Street,Shipping Address1,Shipping Address2,Shipping Company,Shipping City,Shipping Zip,Shipping Province,Shipping Country,Shipping Phone,Notes,Cancelled at',
  american: `#3001,a@example.com,paid,2026-11-02 10:00:00 -0500,unfulfilled,,no,USD,41.00,5,0,46.00,,0,Standard,2026-11-02 09:59:00 -0500,1,"Binder, 9-Pocket - Black",39.00,,NG-BND-BLK,true,true,pending,Ada Cole,Ada Cole,"77 Pine St, Apt 2",77 Pine St,Apt 2,,Burlington,'05401,VT,US,,,
#3001,a@example.com,,,,,,,,,,,,,,2026-11-02 09:59:00 -0500,2,Penny Sleeves (100),2.00,,NG-SLV-100,true,true,pending,,,,,,,,,,,,,`,
  german: `#3002,b@example.com,paid,2026-11-02 11:00:00 +0100,unfulfilled,,no,EUR,39.00,9,0,48.00,,0,Standard,2026-11-02 10:59:00 +0100,1,"Binder, 9-Pocket - Red",39.00,,NG-BND-RED,true,true,pending,Jörg Weiß,Jörg Weiß,Gänsemarkt 5,Gänsemarkt 5,,Kartenhaus GmbH,Köln,'01067,,DE,,,`,
  japanese: `#3003,c@example.com,paid,2026-11-02 12:00:00 +0900,unfulfilled,,no,JPY,5800,900,0,6700,,0,Standard,2026-11-02 11:59:00 +0900,1,Penny Sleeves (100),300,,NG-SLV-100,true,true,pending,佐藤 花子,佐藤 花子,神南1-2-3,神南1-2-3,コーポ 101,,渋谷区,150-0041,JP-13,JP,,,
#3004,d@example.com,pending,,unfulfilled,,no,JPY,300,900,0,1200,,0,Standard,2026-11-02 12:59:00 +0900,1,Penny Sleeves (100),300,,NG-SLV-100,true,true,pending,鈴木,鈴木,栄1-1,栄1-1,,,名古屋市,460-0008,JP-23,JP,,,`,
}

const ebay = `
Sales Record Number,Order Number,Buyer Username,Buyer Name,Buyer Email,Buyer Note,Buyer Address 1,Ship To Name,Ship To Phone,Ship To Address 1,Ship To Address 2,Ship To City,Ship To State,Ship To Zip,Ship To Country,Item Number,Item Title,Custom Label,Sold Via Promoted Listings,Quantity,Sold For,Shipping And Handling,Paid On Date,Shipped On Date,Tracking Number,Transaction ID,Variation Details
,,,,,,,,,,,,,,,,,,,,,,,,,,
"501","09-13579-24680","mo_cards","Mo Reyes","m@example.com","","2 Bay Rd","Mo Reyes","","2 Bay Rd","","Santa Fe","New Mexico","87501","United States","285001112223","Binder black","NG-BND-BLK","No","1","$39.00","$5.00","Nov-02-26","","","123",""
"502","09-13579-24681","mo_cards","Mo Reyes","m@example.com","","2 Bay Rd","Mo Reyes","","2 Bay Rd","","Melbourne","Victoria","3000","Australia","285001112223","Binder black","NG-SLV-100","No","1","$39.00","$5.00","Nov-02-26","","","123",""
"503","09-13579-24682","mo_cards","Mo Reyes","m@example.com","","2 Bay Rd","Mo Reyes","","2 Bay Rd","","London","Victoria","SW1V 1JU","United Kingdom","285001112223","Binder black","NG-SLV-100","No","1","$39.00","$5.00","Nov-02-26","","","123",""

1,record(s) downloaded
Seller ID : northgate
`

test("exports of Shopify products, then of its orders and eBay's, import in this order", async () => {
  const sizes = ['length=30', 'width=28', 'height=5', 'dimension_unit=cm'].flatMap((text) => ['--set', text])
  const products = await imported('products', 'catalog.csv', catalog, sizes)
  expect([products.code, products.err]).toEqual([
    0,
    expect.stringContaining('Recognised: Shopify products; '),
  ])
  const held: Product[] = JSON.parse(await done('products', 'ls', '--json'))
  expect(held.map(({ sku, name, upc, weight }) => [sku, name, upc, weight.value]).sort()).toEqual([
    ['NG-BND-BLK', 'Binder, 9-Pocket Black', '4006381333931', 980],
    ['NG-BND-RED', 'Binder, 9-Pocket Red', '4006381333948', 980],
    ['NG-SLV-100', 'Penny Sleeves (100)', null, 45],
  ])
  await submit('STOCK', 'sku,quantity\nNG-BND-BLK,2\nNG-BND-RED,1\nNG-SLV-100,5\n')
  await done('sandbox', 'receive', 'STOCK')
  await done('sandbox', 'advance', '--manifest', 'STOCK', '--to', 'available')

  const files = [orders.american, orders.german, orders.japanese].map((rows) => `${orders.header}\n${rows}\n`)
  const shopify = []
  for (const [at, file] of files.entries()) shopify.push(await imported('fulfillments', `${at}.csv`, file))
  expect(shopify.map(({ code }) => code)).toEqual([0, 0, 9])
  expect(shopify[2]?.err).toContain('row 2, line 3  Financial Status is "pending"')
  const sold = await imported('fulfillments', 'ebay.csv', ebay)
  expect([sold.code, sold.err]).toEqual([0, expect.stringContaining('Recognised: eBay orders; ')])

  const sent: Fulfillment[] = JSON.parse(await done('fulfillments', 'ls', '--json'))
  const addressed = sent.map(({ external_ref, qids, shipping_address: to }) => [
    `${external_ref} ${qids.length}`,
    [to?.recipient_name, to?.street, to?.street_2, to?.city, to?.state, to?.zip, to?.country].join('|'),
  ])
  expect(Object.fromEntries(addressed)).toEqual({
    '#3001 3': 'Ada Cole|77 Pine St|Apt 2|Burlington|VT|05401|US',
    '#3002 1': 'Jörg Weiß|Gänsemarkt 5|Kartenhaus GmbH|Köln|Köln|01067|DE',
    '#3003 1': '佐藤 花子|神南1-2-3|コーポ 101|渋谷区|JP-13|150-0041|JP',
    '09-13579-24680 1': 'Mo Reyes|2 Bay Rd||Santa Fe|NM|87501|US',
    '09-13579-24681 1': 'Mo Reyes|2 Bay Rd||Melbourne|VIC|3000|AU',
    '09-13579-24682 1': 'Mo Reyes|2 Bay Rd||London|Victoria|SW1V 1JU|GB',
  })
})

async function done(...args: string[]): Promise<string> {
  const { code, out, err } = await user.run(args, { env })
  if (code !== 0) throw new Error(`custody ${args.join(' ')} ended with ${code}: ${err}`)
  return out
}

function submit(reference: string, text: string) {
  writeFileSync(join(user.home, `${reference}.csv`), text)
  return user.run(['manifests', 'submit', `${reference}.csv`, '--reference', reference], { env })
}

function imported(noun: string, file: string, text: string, more: string[] = []) {
  writeFileSync(join(user.home, file), text)
  return user.run([noun, 'import', file, ...more], { env })
}
