/** What the command line says about a file's form. */
export type FormatOptions = {
  map?: string[]
  ignoreColumns?: string
  /** The name of a preset, or auto. */
  from?: string
  /** column=value */
  set?: string[]
  delimiter?: string
  encoding?: string
  /** Of a workbook: its name or number. */
  sheet?: string
  /** The name under which these flags are kept. */
  saveMap?: string
}
