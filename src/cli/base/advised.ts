import { ServiceError } from '../../client/client.ts'
import { Rejection } from '../../domain/rejection.ts'

/** An error with the command's own hint, which is more precise than the one for the error's code. */
export class Advised extends Error {
  readonly error: ServiceError | Rejection
  readonly hint: string
  constructor(error: ServiceError | Rejection, hint: string) {
    super(error.message)
    this.name = 'Advised'
    this.error = error
    this.hint = hint
  }
}

export function adviseOnConflict(hint: string): (error: unknown) => never {
  return (error) => {
    if (error instanceof ServiceError && error.status === 409) throw new Advised(error, hint)
    if (error instanceof Rejection && error.code === 'state_conflict') throw new Advised(error, hint)
    throw error
  }
}
