/** A request without its invalid fields: any part may be missing. A complete request fits too. */
export type Given<T> =
  T extends ReadonlyArray<infer E>
    ? ReadonlyArray<Given<E> | undefined>
    : T extends object
      ? { readonly [K in keyof T]?: Given<T[K]> | undefined }
      : T
