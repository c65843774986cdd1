import { ServiceError } from '../../client/service-error.ts'
import { Refusal } from '../../domain/refusal.ts'

/** An error of the wire, or of its rules here, with a hint of the command's own, which knows better than the error's code what to do next. */
export class Advised extends Error {
  readonly error: ServiceError | Refusal
  readonly hint: string
  constructor(error: ServiceError | Refusal, hint: string) {
    super(error.message)
    this.name = 'Advised'
    this.error = error
    this.hint = hint
  }
}

/** For `catch`: throws the error again, with the hint if it is a conflict. */
export function adviseOnConflict(hint: string): (error: unknown) => never {
  return (error) => {
    if (error instanceof ServiceError && error.status === 409) throw new Advised(error, hint)
    if (error instanceof Refusal && error.code === 'state_conflict') throw new Advised(error, hint)
    throw error
  }
}
