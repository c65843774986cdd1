import { ServiceError } from '../../client/service-error.ts'

/** An error of the wire, and what to do next, where the command knows it better than the error's code says. */
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

/** For `catch`: throws the error again, with the hint where it is a conflict. */
export function adviseOnConflict(hint: string): (error: unknown) => never {
  return (error) => {
    throw error instanceof ServiceError && error.status === 409 ? new Advised(error, hint) : error
  }
}
