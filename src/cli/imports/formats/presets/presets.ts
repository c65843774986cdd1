import { cardLadder } from './card-ladder.ts'
import { collectr } from './collectr.ts'
import { comcPurchases } from './comc-purchases.ts'
import { ebayListings } from './ebay-listings.ts'
import { ebayOrders } from './ebay-orders.ts'
import { ebayPurchases } from './ebay-purchases.ts'
import type { Preset } from './preset.ts'
import { pricecharting } from './pricecharting.ts'
import { psaCollection } from './psa-collection.ts'
import { psaOrder } from './psa-order.ts'
import { psaPurchases } from './psa-purchases.ts'
import { shopifyOrders } from './shopify-orders.ts'
import { shopifyProducts } from './shopify-products.ts'
import { shopifyProductsOld } from './shopify-products-old.ts'
import { tcgplayerApp } from './tcgplayer-app.ts'
import { tcgplayerPricing } from './tcgplayer-pricing.ts'
import { tcgplayerPullsheet } from './tcgplayer-pullsheet.ts'
import { tcgplayerShipping } from './tcgplayer-shipping.ts'
import { whatnotOrders } from './whatnot-orders.ts'

/** Every export that is known, in the order of `custody presets ls`. */
export const presets: readonly Preset[] = [
  psaCollection,
  psaOrder,
  psaPurchases,
  cardLadder,
  pricecharting,
  collectr,
  ebayPurchases,
  ebayListings,
  whatnotOrders,
  comcPurchases,
  tcgplayerPricing,
  tcgplayerApp,
  shopifyProducts,
  shopifyProductsOld,
  tcgplayerPullsheet,
  shopifyOrders,
  ebayOrders,
  tcgplayerShipping,
]

export function presetNamed(name: string): Preset | undefined {
  return presets.find((preset) => preset.name === name)
}
