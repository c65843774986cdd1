/** The service does not meet the clause. The message says what it did. */
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
