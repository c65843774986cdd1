import type { Environment } from '../../../contract/enums.ts'
import { storedResultsDefault } from '../../../contract/limits.ts'
import { own } from '../../../contract/own.ts'
import { isCountryCode, upperCode } from '../../../domain/fulfillments/iso-countries.ts'
import type { Rate } from '../../../domain/token-bucket.ts'
import type { KeyLimits } from '../../../service/context.ts'
import { defaultRates } from '../../../service/limits/limiter.ts'
import { defaultKeyLimits } from '../../../service/limits/work-limits.ts'
import { usage } from '../../base/cli-error.ts'
import { isLoopback } from '../../connection/base-url.ts'

/** 0 takes a free port. Throws `usage`. */
export function portOf(text: string, flag: string): number {
  const port = /^\d{1,5}$/.test(text) ? Number(text) : Number.NaN
  if (!(port <= 65_535)) throw usage(`${flag}: "${text}" is not a port.`, 'Give a number from 0 to 65535.')
  return port
}

export function rateText(environment: Environment): string {
  const { rate_per_s, burst } = defaultRates[environment]
  return `${rate_per_s}:${burst}`
}

/** `RATE[:BURST]`, in requests per second and key; the default burst is twice the rate. Undefined for `off`. Throws `usage`. */
export function rateOf(text: string | undefined, environment: Environment): Rate | undefined {
  if (text === undefined) return defaultRates[environment]
  if (text === 'off') return undefined
  const [, rate, burst] = /^(\d{1,6}(?:\.\d{1,3})?)(?::(\d{1,7}))?$/.exec(text) ?? []
  const rate_per_s = Number(rate)
  const size = burst === undefined ? Math.max(1, Math.ceil(rate_per_s * 2)) : Number(burst)
  if (!(rate_per_s > 0 && size >= 1)) {
    throw usage(`--rate-limit: "${text}" is not a rate.`, 'Give 25, 25:50 (rate and burst), or off.')
  }
  return { rate_per_s, burst: size }
}

const mebibyte = 1024 * 1024
const limitKinds: Record<string, { kind: keyof KeyLimits; unit: number }> = {
  requests: { kind: 'requests', unit: 1 },
  waits: { kind: 'waits', unit: 1 },
  answers: { kind: 'answerBytes', unit: mebibyte },
  uploads: { kind: 'uploadBytes', unit: mebibyte },
}

/** For one key. Limits that are not named keep their defaults; `off` means none. Throws `usage`. */
export function keyLimitsOf(text: string | undefined): KeyLimits | undefined {
  if (text === 'off') return undefined
  const limits = { ...defaultKeyLimits }
  for (const part of text?.split(',') ?? []) {
    const [, name = '', number] = /^([a-z]+)=([1-9]\d{0,5})$/.exec(part.trim()) ?? []
    const found = own(limitKinds, name)
    if (!found) {
      throw usage(
        `--key-limits: "${part}" is not a limit.`,
        `Give requests=16,waits=8,answers=64,uploads=64 or some of them, or off.`,
      )
    }
    limits[found.kind] = Number(number) * found.unit
  }
  return limits
}

/** For one partner; `off` means no limit. Throws `usage`. */
export function storedResultsOf(text: string | undefined): number | undefined {
  if (text === undefined) return storedResultsDefault
  if (text === 'off') return undefined
  const results = /^\d{1,9}$/.test(text) ? Number(text) : 0
  if (results < 1) throw usage(`--stored-results-max: "${text}" is not a number, 1 or more, or off.`)
  return results
}

/** Throws `usage` unless the text is a whole number of days, `least` or more. */
export function daysOf(text: string | undefined, flag: string, otherwise: number, least: number): number {
  if (text === undefined) return otherwise
  const days = /^\d{1,4}$/.test(text) ? Number(text) : Number.NaN
  if (!(days >= least)) throw usage(`${flag}: "${text}" is not a number of days from ${least} to 9999.`)
  return days
}

/** For page links. Throws `usage`. */
export function publicUrlOf(text: string | undefined): string | undefined {
  if (text === undefined) return undefined
  const url = URL.canParse(text) ? new URL(text) : undefined
  const isPlain = url && /^https?:$/.test(url.protocol) && !url.username && !url.search && !url.hash
  if (!isPlain)
    throw usage(`--public-url: "${text}" is not an address.`, 'Give it as https://custody.example.com')
  return text
}

/** A public https address implies a proxy with TLS, as in front of a container, which listens on every address. */
export function isReadable(host: string, publicUrl: string | undefined): boolean {
  return !isLoopback(host) && !/^https:/i.test(publicUrl ?? '')
}

/** ISO 3166-1 alpha-2 codes, separated by commas. Throws `usage`. */
export function countriesOf(text: string | undefined): ReadonlySet<string> | undefined {
  if (text === undefined) return undefined
  const codes = text.split(',').map(upperCode)
  const wrong = codes.find((code) => !isCountryCode(code))
  if (wrong !== undefined)
    throw usage(`--countries: "${wrong}" is not a country code.`, 'Give codes such as US,CA,DE.')
  return new Set(codes)
}
