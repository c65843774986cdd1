import { ebayOrders, shopifyOrders, tcgplayerShipping } from './fulfillments-presets.ts'
import {
  cardLadder,
  collectr,
  comcPurchases,
  ebayListings,
  ebayPurchases,
  pricecharting,
  psaCollection,
  psaOrder,
  psaPurchases,
  tcgplayerApp,
  tcgplayerPricing,
  whatnotOrders,
} from './manifest-presets.ts'
import type { Preset } from './preset.ts'
import { shopifyProducts, shopifyProductsOld, tcgplayerPullsheet } from './products-presets.ts'

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
