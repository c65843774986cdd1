export type Reading = 'grader' | 'country' | 'state' | 'code'

/** Where a preset takes the value of one of our columns from. Column names are compared without case, spaces, and punctuation. */
export type Rule =
  | string
  /**
   * Joins columns with spaces, drops the words `without`, and uses `otherwise` if nothing is left. A bare number in the column
   * `number` gets a number sign. Appends the columns `after` if none is empty, and the column `graded` if it names a grader.
   */
  | {
      join: readonly string[]
      without?: string
      otherwise?: string
      number?: string
      after?: readonly string[]
      graded?: string
    }
  /** `ifFilled`: only if that column is not empty. */
  | { constant: string; ifFilled?: string }
  /** The first that is not empty. `of`: the country, which decides how a state is written; `city`: used if it has no states. */
  | {
      column: string | readonly string[]
      as?: Reading
      ifFilled?: string
      of?: string | readonly string[]
      city?: string | readonly string[]
    }
  /** Restores the leading zeros of certificates that the export shortened. */
  | { certificate: string; grader: string; padded: { from: number; to: number; graders: readonly string[] } }

/** Either the values of a status that ship, or a cell to be filled: if it is empty, the order's status counts as `lacking`. */
export type ShipStatus = { column: string } & (
  | { ships: readonly string[]; lacking?: undefined }
  | { lacking: string }
)

/** Rows to skip. `why` completes "3 rows are skipped: ..."; `unless`: the other expected values. */
export type Skip = { column: string | readonly string[]; why: string } & (
  | { is: readonly string[]; unless?: readonly string[] }
  | { isEmpty: boolean }
)

export type Preset = {
  name: string
  title: string
  kind: 'manifest' | 'products' | 'fulfillments'
  /** Columns that only this export has together; an inner list means any one of them. */
  header: ReadonlyArray<string | readonly string[]>
  columns: Readonly<Record<string, Rule>>
  skip?: readonly Skip[]
  /** Rows of another status fail, unless --ship-status accepts it. */
  status?: readonly ShipStatus[]
  fails?: { column: string; begins: readonly string[]; why: string }
  /** Rows with the same `by` follow one another; the first one's `fill` counts for all. A row without an `item` is about the whole order. */
  group?: { by: string; fill: readonly string[]; item?: readonly string[] }
  /** Words in the first two cells of lines that are not rows. */
  trailer?: readonly string[]
  /** Columns that the export lacks: without them it is refused, and `how` says where its user finds them. */
  added?: { columns: readonly string[]; how: string }
}

const names = (text: string): string[] => text.split(', ')

const presetOf =
  (kind: Preset['kind']) =>
  (
    name: string,
    title: string,
    header: string | Preset['header'],
    rest: Omit<Preset, 'kind' | 'name' | 'title' | 'header'>,
  ): Preset => ({ name, title, kind, header: typeof header === 'string' ? names(header) : header, ...rest })
const [manifest, products, fulfillments] = [
  presetOf('manifest'),
  presetOf('products'),
  presetOf('fulfillments'),
]

/** PSA answers N0 to N9 for a card that it did not slab, for example because it is altered. */
const notSlabbed = {
  column: 'Grade',
  begins: names('N0, N1, N2, N3, N4, N5, N6, N7, N8, N9'),
  why: 'PSA did not slab this card: delete the row, or empty its certificate and grade if the raw card is coming',
}
const ofNone = (column: string, is = ['0']): Skip => ({ column, is, why: 'of quantity 0' })
const ebayCertificate = 'CDA:Certification Number - (ID: 27503)'
const tcgplayer = 'TCGplayer Id, Product Line, TCG Market Price, Total Quantity, Add to Quantity'

/** Shopify has a row per variant, and the title in a product's first row only. */
function shopifyProducts(
  name: string,
  title: string,
  handle: string,
  own: Record<'sku' | 'barcode' | 'weight' | 'option' | 'variantImage' | 'image', string>,
): Preset {
  const options = ['1', '2', '3'].map((number) => `Option${number} ${own.option}`)
  return products(name, title, [handle, 'Title', 'Vendor', own.sku, own.weight], {
    columns: {
      name: { join: ['Title', ...options], without: 'Default Title' },
      sku: own.sku,
      upc: { column: own.barcode, as: 'code' },
      weight: own.weight,
      weight_unit: { constant: 'g' },
      image_url: { column: [own.variantImage, own.image] },
    },
    group: { by: handle, fill: ['Title', own.image] },
    skip: [{ column: own.sku, isEmpty: true, why: 'without a SKU' }],
  })
}

/** eBay's address columns; its UK site names them differently. */
const shipTo = (american: string, british = american): string[] => [
  `Ship To ${american}`,
  `Post to ${british.toLowerCase()}`,
]
const ebayAddress = {
  name: shipTo('Name'),
  street: shipTo('Address 1'),
  street2: shipTo('Address 2'),
  city: shipTo('City'),
  state: [...shipTo('State', 'County'), 'Post to state'],
  zip: shipTo('Zip', 'Postcode'),
  country: shipTo('Country'),
}
const shopifyAddress = names(
  'Shipping Name, Shipping Street, Shipping Address1, Shipping Address2, Shipping Company, Shipping City, Shipping Zip, Shipping Province, Shipping Country',
)

export const presets: readonly Preset[] = [
  manifest('psa-collection', 'PSA My Collection', 'Cert Number, Grade Issuer, Subject, Vault Status', {
    columns: {
      description: {
        join: names('Year, Set, Subject, Variety, Card Number'),
        number: 'Card Number',
        otherwise: 'Item',
        after: names('Grade Issuer, Grade'),
      },
      grader: { column: 'Grade Issuer', ifFilled: 'Cert Number' },
      cert_number: 'Cert Number',
    },
    fails: notSlabbed,
    skip: [{ column: 'Sold Status', is: ['sold'], why: 'sold' }],
  }),
  manifest('psa-order', 'PSA finished order', 'Cert #, Type, Description, Grade, After Service', {
    columns: {
      description: { join: ['Description'], without: 'N/A', after: ['Grade'] },
      grader: { constant: 'PSA', ifFilled: 'Cert #' },
      cert_number: 'Cert #',
    },
    fails: notSlabbed,
  }),
  manifest('psa-purchases', 'PSA purchases', 'cert number, listing title, price paid, was refunded?', {
    columns: {
      description: 'listing title',
      grader: { constant: 'PSA', ifFilled: 'cert number' },
      cert_number: 'cert number',
    },
    fails: notSlabbed,
    skip: [
      {
        column: 'was refunded?',
        is: names('yes, true, y, 1, refunded'),
        unless: names('no, false, n, 0'),
        why: 'refunded',
      },
    ],
  }),
  manifest('card-ladder', 'Card Ladder collection', 'Player, Condition, Ladder ID, Slab Serial #', {
    columns: {
      description: {
        join: names('Year, Set, Player, Variation, Number'),
        number: 'Number',
        otherwise: 'Card',
        graded: 'Condition',
      },
      grader: { column: 'Condition', as: 'grader', ifFilled: 'Slab Serial #' },
      // Card Ladder strips leading zeros; Beckett prints ten digits.
      cert_number: {
        certificate: 'Slab Serial #',
        grader: 'Condition',
        padded: { from: 7, to: 10, graders: ['BGS', 'BVG', 'BCCG'] },
      },
      quantity: 'Quantity',
    },
    skip: [ofNone('Quantity')],
  }),
  manifest(
    'pricecharting',
    'PriceCharting collection',
    'product-name, console-name, grading-company, grading-cert-id',
    {
      columns: {
        external_ref: 'id',
        description: {
          join: names('console-name, product-name'),
          after: names('grading-company, condition-string'),
        },
        grader: { column: 'grading-company', ifFilled: 'grading-cert-id' },
        cert_number: 'grading-cert-id',
        quantity: 'quantity',
      },
      skip: [ofNone('quantity')],
    },
  ),
  manifest(
    'collectr',
    'Collectr portfolio',
    'Portfolio Name, Product Name, Card Condition, Average Cost Paid',
    {
      // The export has no certificates, so graded cards too are matched by description.
      columns: {
        description: {
          join: names('Set, Product Name, Variance, Card Number'),
          number: 'Card Number',
          without: 'Ungraded',
          after: ['Grade'],
        },
        quantity: 'Quantity',
      },
      skip: [{ column: 'Watchlist', is: names('true, yes, 1'), why: 'on the watchlist' }, ofNone('Quantity')],
    },
  ),
  manifest(
    'ebay-purchases',
    'eBay purchases',
    'Order Number, Item ID, Seller, Item Name, View Order Detail',
    {
      columns: { external_ref: { join: names('Order Number, Item ID') }, description: 'Item Name' },
    },
  ),
  manifest('ebay-listings', 'eBay active listings', 'Item number, Title, Available quantity, Start price', {
    columns: {
      external_ref: 'Item number',
      description: { join: names('Title, Variation details') },
      grader: { column: 'CD:Professional Grader - (ID: 27501)', as: 'grader', ifFilled: ebayCertificate },
      cert_number: ebayCertificate,
      quantity: 'Available quantity',
    },
    skip: [ofNone('Available quantity', ['0', ''])],
  }),
  manifest('whatnot-orders', 'Whatnot orders', 'order numeric id, product name, order status, sold price', {
    columns: {
      external_ref: { column: names('order numeric id, order id') },
      description: 'product name',
      quantity: 'quantity',
    },
    skip: [
      { column: 'order status', is: names('cancelled, canceled'), why: 'cancelled' },
      { column: 'order status', is: names('refunded, failed'), why: 'refunded' },
      ofNone('quantity'),
    ],
  }),
  manifest('comc-purchases', 'COMC purchases', 'ItemID, Set Name, Description, Purchased From', {
    columns: { external_ref: 'ItemID', description: { join: names('Set Name, Description') } },
  }),
  manifest('tcgplayer-pricing', 'TCGplayer pricing', tcgplayer, {
    columns: {
      external_ref: 'TCGplayer Id',
      description: { join: names('Set Name, Product Name, Number, Condition'), otherwise: 'Title' },
      quantity: 'Total Quantity',
    },
    skip: [ofNone('Total Quantity', ['0', ''])],
  }),
  manifest('tcgplayer-app', 'TCGplayer app', `${tcgplayer}, Product ID, Printing`, {
    columns: {
      external_ref: 'TCGplayer Id',
      description: { join: names('Set Name, Product Name, Printing, Number, Condition'), otherwise: 'Title' },
      // The number scanned; the total is the stock that the shop had before.
      quantity: 'Add to Quantity',
    },
    skip: [ofNone('Add to Quantity', ['0', ''])],
  }),
  shopifyProducts('shopify-products', 'Shopify products', 'URL handle', {
    sku: 'SKU',
    barcode: 'Barcode',
    weight: 'Weight value (grams)',
    option: 'value',
    variantImage: 'Variant image URL',
    image: 'Product image URL',
  }),
  shopifyProducts('shopify-products-old', 'Shopify products, the older export', 'Handle', {
    sku: 'Variant SKU',
    barcode: 'Variant Barcode',
    weight: 'Variant Grams',
    option: 'Value',
    variantImage: 'Variant Image',
    image: 'Image Src',
  }),
  products(
    'tcgplayer-pullsheet',
    'TCGplayer PullSheet',
    'Product Line, Product Name, SkuId, Order Quantity',
    {
      columns: {
        name: { join: names('Set, Product Name, Number, Condition') },
        sku: 'SkuId',
        image_url: 'Main Photo URL',
      },
      trailer: ['orders contained in pull sheet'],
    },
  ),
  fulfillments(
    'shopify-orders',
    'Shopify orders',
    'Name, Financial Status, Lineitem sku, Lineitem quantity, Shipping Name',
    {
      columns: {
        sku: 'Lineitem sku',
        quantity: 'Lineitem quantity',
        recipient_name: 'Shipping Name',
        street: { column: names('Shipping Address1, Shipping Street') },
        street_2: { join: names('Shipping Address2, Shipping Company') },
        city: 'Shipping City',
        state: { column: 'Shipping Province', as: 'state', of: 'Shipping Country', city: 'Shipping City' },
        zip: { column: 'Shipping Zip', as: 'code' },
        country: { column: 'Shipping Country', as: 'country' },
        external_ref: 'Name',
      },
      group: {
        by: 'Name',
        item: names('Lineitem name, Lineitem sku'),
        fill: [...names('Financial Status, Fulfillment Status, Cancelled at'), ...shopifyAddress],
      },
      skip: [
        { column: 'Cancelled at', isEmpty: false, why: 'cancelled' },
        { column: 'Financial Status', is: ['refunded', 'voided'], why: 'refunded' },
        { column: 'Fulfillment Status', is: ['fulfilled'], why: 'fulfilled already' },
        { column: 'Lineitem fulfillment status', is: ['fulfilled'], why: 'fulfilled already' },
        { column: 'Lineitem requires shipping', is: ['false'], why: 'not to be shipped' },
      ],
      status: [
        { column: 'Financial Status', ships: ['paid'] },
        { column: 'Fulfillment Status', ships: ['', 'unfulfilled'] },
        { column: 'Lineitem fulfillment status', ships: ['', 'pending', 'unfulfilled'] },
      ],
    },
  ),
  fulfillments(
    'ebay-orders',
    'eBay orders',
    [...names('Sales Record Number, Order Number, Item Number'), ebayAddress.name],
    {
      columns: {
        sku: 'Custom Label',
        quantity: 'Quantity',
        recipient_name: { column: ebayAddress.name },
        street: { column: ebayAddress.street },
        street_2: { column: ebayAddress.street2 },
        city: { column: ebayAddress.city },
        state: { column: ebayAddress.state, as: 'state', of: ebayAddress.country, city: ebayAddress.city },
        zip: { column: ebayAddress.zip, as: 'code' },
        country: { column: ebayAddress.country, as: 'country' },
        external_ref: 'Order Number',
      },
      group: {
        by: 'Order Number',
        item: names('Item Number, Custom Label'),
        fill: ['Paid On Date', ...Object.values(ebayAddress).flat()],
      },
      skip: [
        { column: 'Tracking Number', isEmpty: false, why: 'shipped already' },
        { column: names('Shipped On Date, Dispatched on date'), isEmpty: false, why: 'shipped already' },
      ],
      status: [{ column: 'Paid On Date', lacking: 'unpaid' }],
      trailer: ['record(s) downloaded', 'seller id'],
    },
  ),
  fulfillments(
    'tcgplayer-shipping',
    'TCGplayer shipping',
    'Order #, FirstName, LastName, PostalCode, Value Of Products',
    {
      columns: {
        sku: 'SkuId',
        quantity: 'Quantity',
        recipient_name: { join: names('FirstName, LastName') },
        street: 'Address1',
        street_2: 'Address2',
        city: 'City',
        state: { column: 'State', as: 'state', of: 'Country', city: 'City' },
        zip: { column: 'PostalCode', as: 'code' },
        country: { column: 'Country', as: 'country' },
        external_ref: 'Order #',
      },
      group: {
        by: 'Order #',
        item: ['SkuId'],
        fill: names('FirstName, LastName, Address1, Address2, City, State, PostalCode, Country, Tracking #'),
      },
      skip: [{ column: 'Tracking #', isEmpty: false, why: 'shipped already' }],
      added: {
        columns: names('SkuId, Quantity'),
        how: 'Add both from the PullSheet of these orders, with a row for each SkuId of an order. Its column "Order Quantity" has each Order # and how many of that SkuId are in it.',
      },
    },
  ),
]
