import { type Ending, endings, exitCodes } from './exit-codes.ts'

/** `custody help exit-codes` */
export function exitCodesText(): string {
  const lines = (Object.keys(exitCodes) as Ending[]).map(
    (ending) => `  ${String(exitCodes[ending]).padStart(3)}  ${endings[ending]}\n`,
  )
  return `Exit codes of every command:\n\n${lines.join('')}`
}
