import type { Preset } from './preset.ts'

export const psaCollection: Preset = {
  name: 'psa-collection',
  title: 'PSA My Collection',
  kind: 'manifest',
  header: ['Cert Number', 'Grade Issuer', 'Subject', 'Vault Status'],
  absent: '-',
  columns: {
    description: { join: ['Year', 'Set', 'Subject', 'Variety', 'Card Number'], otherwise: 'Item' },
    grader: { column: 'Grade Issuer', beside: 'Cert Number' },
    cert_number: 'Cert Number',
  },
  skip: [{ column: 'Sold Status', is: ['sold'], why: 'sold' }],
}

export const psaOrder: Preset = {
  name: 'psa-order',
  title: 'PSA finished order',
  kind: 'manifest',
  header: ['Cert #', 'Type', 'Description', 'Grade', 'After Service'],
  columns: {
    description: 'Description',
    grader: { constant: 'PSA', beside: 'Cert #' },
    cert_number: 'Cert #',
  },
}

export const psaPurchases: Preset = {
  name: 'psa-purchases',
  title: 'PSA purchases',
  kind: 'manifest',
  header: ['cert number', 'listing title', 'price paid', 'was refunded?'],
  columns: {
    description: 'listing title',
    grader: { constant: 'PSA', beside: 'cert number' },
    cert_number: 'cert number',
  },
  skip: [
    {
      column: 'was refunded?',
      is: ['yes', 'true', 'y', '1', 'refunded'],
      unless: ['no', 'false', 'n', '0'],
      why: 'refunded',
    },
  ],
}

export const cardLadder: Preset = {
  name: 'card-ladder',
  title: 'Card Ladder collection',
  kind: 'manifest',
  header: ['Player', 'Condition', 'Ladder ID', 'Slab Serial #'],
  columns: {
    description: { join: ['Year', 'Set', 'Player', 'Variation', 'Number'], otherwise: 'Card' },
    grader: { column: 'Condition', as: 'grader', beside: 'Slab Serial #' },
    // Card Ladder takes the zeros off at the left; Beckett prints ten digits.
    cert_number: {
      certificate: 'Slab Serial #',
      grader: 'Condition',
      padded: { from: 7, to: 10, graders: ['BGS', 'BVG', 'BCCG'] },
    },
    quantity: 'Quantity',
  },
}

export const pricecharting: Preset = {
  name: 'pricecharting',
  title: 'PriceCharting collection',
  kind: 'manifest',
  header: ['product-name', 'console-name', 'grading-company', 'grading-cert-id'],
  columns: {
    external_ref: 'id',
    description: { join: ['console-name', 'product-name'] },
    grader: { column: 'grading-company', beside: 'grading-cert-id' },
    cert_number: 'grading-cert-id',
    quantity: 'quantity',
  },
}

export const collectr: Preset = {
  name: 'collectr',
  title: 'Collectr portfolio',
  kind: 'manifest',
  header: ['Portfolio Name', 'Product Name', 'Card Condition', 'Average Cost Paid'],
  // It has no certificates: graded cards are matched by their description too.
  columns: {
    description: { join: ['Set', 'Product Name', 'Variance', 'Card Number'] },
    quantity: 'Quantity',
  },
  skip: [{ column: 'Watchlist', is: ['true', 'yes', '1'], why: 'on the watchlist' }],
}

export const ebayPurchases: Preset = {
  name: 'ebay-purchases',
  title: 'eBay purchases',
  kind: 'manifest',
  header: ['Order Number', 'Item ID', 'Seller', 'Item Name', 'View Order Detail'],
  columns: {
    external_ref: { join: ['Order Number', 'Item ID'] },
    description: 'Item Name',
  },
}

export const ebayListings: Preset = {
  name: 'ebay-listings',
  title: 'eBay active listings',
  kind: 'manifest',
  header: ['Item number', 'Title', 'Available quantity', 'Start price'],
  columns: {
    external_ref: 'Item number',
    description: { join: ['Title', 'Variation details'] },
    grader: {
      column: 'CD:Professional Grader - (ID: 27501)',
      as: 'grader',
      beside: 'CDA:Certification Number - (ID: 27503)',
    },
    cert_number: 'CDA:Certification Number - (ID: 27503)',
    quantity: 'Available quantity',
  },
  skip: [{ column: 'Available quantity', is: ['0', ''], why: 'of quantity 0' }],
}

export const whatnotOrders: Preset = {
  name: 'whatnot-orders',
  title: 'Whatnot orders',
  kind: 'manifest',
  header: ['order numeric id', 'product name', 'order status', 'sold price'],
  columns: {
    external_ref: { first: ['order numeric id', 'order id'] },
    description: 'product name',
    quantity: 'quantity',
  },
  skip: [
    { column: 'order status', is: ['cancelled', 'canceled'], why: 'cancelled' },
    { column: 'order status', is: ['refunded', 'failed'], why: 'refunded' },
  ],
}

export const comcPurchases: Preset = {
  name: 'comc-purchases',
  title: 'COMC purchases',
  kind: 'manifest',
  header: ['ItemID', 'Set Name', 'Description', 'Purchased From'],
  columns: {
    external_ref: 'ItemID',
    description: { join: ['Set Name', 'Description'] },
  },
}

export const tcgplayerPricing: Preset = {
  name: 'tcgplayer-pricing',
  title: 'TCGplayer pricing',
  kind: 'manifest',
  header: ['TCGplayer Id', 'Product Line', 'TCG Market Price', 'Total Quantity', 'Add to Quantity'],
  columns: {
    external_ref: 'TCGplayer Id',
    description: { join: ['Set Name', 'Product Name', 'Number', 'Condition'], otherwise: 'Title' },
    quantity: 'Total Quantity',
  },
  skip: [{ column: 'Total Quantity', is: ['0', ''], why: 'of quantity 0' }],
}

export const tcgplayerApp: Preset = {
  name: 'tcgplayer-app',
  title: 'TCGplayer app',
  kind: 'manifest',
  header: [
    'TCGplayer Id',
    'Product Line',
    'TCG Market Price',
    'Total Quantity',
    'Add to Quantity',
    'Product ID',
    'Printing',
  ],
  columns: {
    external_ref: 'TCGplayer Id',
    description: {
      join: ['Set Name', 'Product Name', 'Printing', 'Number', 'Condition'],
      otherwise: 'Title',
    },
    // What was scanned; the total is what the shop had before.
    quantity: 'Add to Quantity',
  },
  skip: [{ column: 'Add to Quantity', is: ['0', ''], why: 'of quantity 0' }],
}
