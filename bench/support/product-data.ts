import { createWriteStream } from 'node:fs'
import { pipeline } from 'node:stream/promises'
import { stringify } from 'csv-stringify'
import { numbersFrom, pick } from './random.ts'

const makers = ['PKM', 'TOP', 'PAN', 'BOW', 'UPD', 'MTG', 'YGO', 'LOR']
const games = [
  'Pokémon',
  'Topps',
  'Panini',
  'Bowman',
  'Upper Deck',
  'Magic: The Gathering',
  'Yu-Gi-Oh!',
  'Lorcana',
]
const sets = [
  'Scarlet & Violet 151',
  'Obsidian Flames',
  'Prizm',
  'Chrome Update',
  'Series 1',
  'Azurite Sea',
  'Bloomburrow',
]
const boxes = [
  'Elite Trainer Box',
  'Booster Box (36 Packs)',
  'Hobby Box',
  'Blaster Box',
  'Collector "Mega" Box, 12 Packs',
]
const digits = '0123456789ABCDEFGHJKMNPQRSTVWXYZ'

/** A catalog of `rows` products in the columns of POST /products/csv; one in five needs quotes, and SKUs are unordered. */
export async function writeCatalog(file: string, rows: number, from = 0): Promise<void> {
  await pipeline(products(rows, from), stringify({ columns, header: true }), createWriteStream(file))
}

const columns = [
  ...['name', 'sku', 'upc', 'length', 'width', 'height', 'dimension_unit', 'weight', 'weight_unit'],
  'image_url',
]

function* products(rows: number, from: number): Generator<string[]> {
  const next = numbersFrom(rows + from)
  for (let no = from; no < from + rows; no++) yield product(next, no)
}

function product(next: () => number, no: number): string[] {
  const which = Math.floor(next() * makers.length)
  const box = pick(next, boxes)
  const name = `${2010 + (no % 16)} ${games[which]} ${pick(next, sets)} ${box}`
  const sku = `${makers[which]}-${code(next, 6)}-${no}`
  const size = (): string => (2 + Math.floor(next() * 180) / 10).toFixed(1)
  const upc = String(100_000_000_000 + Math.floor(next() * 800_000_000_000))
  const image = `https://cdn.example/catalog/${sku.toLowerCase()}/front.webp`
  return [name, sku, upc, size(), size(), size(), 'in', size(), 'oz', image]
}

function code(next: () => number, length: number): string {
  return Array.from({ length }, () => pick(next, [...digits])).join('')
}
