import { parseStatement, type Statement } from '../../domain/items/log-state.ts'
import { CliError } from '../base/cli-error.ts'
import { readInput } from '../base/input-file.ts'
import type { Io } from '../base/io.ts'

export async function readStatement(io: Io, file: string): Promise<Statement> {
  const statement = parseStatement((await readInput(io, file)).toString())
  if (statement === undefined)
    throw new CliError('invalid', `${file} is not a statement of custody.`, {
      hint: 'Write one with: custody report statement --out FILE',
    })
  return statement
}
