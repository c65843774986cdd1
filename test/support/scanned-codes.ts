import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { Resvg } from '@resvg/resvg-js'
import { prepareZXingModule, readBarcodes } from 'zxing-wasm/reader'

/** It would fetch its WebAssembly from the network. */
export async function prepareScanner(): Promise<void> {
  const wasm = createRequire(import.meta.url).resolve('zxing-wasm/reader/zxing_reader.wasm')
  await prepareZXingModule({ overrides: { wasmBinary: readFileSync(wasm).buffer }, fireImmediately: true })
}

/** What a scanner reads from the codes of a page, drawn like a printer with 203 dots per inch. */
export async function scanned(page: string): Promise<string[][]> {
  const pictures = page.match(/<svg [\s\S]*?<\/svg>/g) ?? []
  return Promise.all(
    pictures.map(async (svg) => {
      const png = new Resvg(svg, { background: '#fff', fitTo: { mode: 'zoom', value: 2 } }).render().asPng()
      const found = await readBarcodes(new Uint8Array(png), { formats: ['Code128', 'QRCode'] })
      return found.map(({ format, text }) => `${format}: ${text}`)
    }),
  )
}
