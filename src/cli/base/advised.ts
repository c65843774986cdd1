import { ServiceError } from '../../client/service-error.ts'

/** An error of the wire with a hint of the command's own, which knows better than the error's code what to do next. */
export class Advised extends Error {
  readonly error: ServiceError
  readonly hint: string
  constructor(error: ServiceError, hint: string) {
    super(error.message)
    this.name = 'Advised'
    this.error = error
    this.hint = hint
  }
}

/** For `catch`: throws the error again, with the hint if it is a conflict. */
export function adviseOnConflict(hint: string): (error: unknown) => never {
  return (error) => {
    throw error instanceof ServiceError && error.status === 409 ? new Advised(error, hint) : error
  }
}
