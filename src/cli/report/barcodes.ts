import { code128, drawingSVG, qrcode } from 'bwip-js/generic'
import type { Html } from './html.ts'

export function barsOf(text: string): Html {
  const options = { bcid: 'code128', text, height: 14, paddingwidth: 10 } as const
  return { markup: crisp(code128(options, drawingSVG())) }
}

export function qrCodeOf(text: string): Html {
  const options = {
    bcid: 'qrcode',
    text: utf8Bytes(text),
    binarytext: true,
    eclevel: 'M',
    padding: 4,
  } as const
  return { markup: crisp(qrcode(options, drawingSVG())) }
}

/** Code 128 encodes only ASCII, and longer texts would make the bars too thin to scan. */
export function fitsBars(text: string): boolean {
  return /^[\x20-\x7e]{1,24}$/.test(text)
}

/** bwip-js reads each character as a byte. */
function utf8Bytes(text: string): string {
  return Buffer.from(text).toString('latin1')
}

function crisp(svg: string): string {
  return svg.replace('<svg ', '<svg shape-rendering="crispEdges" ')
}
