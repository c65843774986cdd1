/** What is left of a request once its faulty fields are taken out: any part of it may be missing. A whole one is one, too. */
export type Given<T> =
  T extends ReadonlyArray<infer E>
    ? ReadonlyArray<Given<E> | undefined>
    : T extends object
      ? { readonly [K in keyof T]?: Given<T[K]> | undefined }
      : T
