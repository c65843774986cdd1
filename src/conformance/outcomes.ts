/** The service does not do what the clause says. The message says what was seen. */
export class Unmet extends Error {
  constructor(seen: string) {
    super(seen)
    this.name = 'Unmet'
  }
}

/** This service or run cannot show the clause. The message says why. */
export class Unseen extends Error {
  constructor(reason: string) {
    super(reason)
    this.name = 'Unseen'
  }
}
