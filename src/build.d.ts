/** Put in by the bundler and, for tests, by vitest.config.ts. */
declare const CUSTODY_VERSION: string

declare module '*.csv' {
  const text: string
  export default text
}
