/** One test of the extension host, as its report has it. */
export interface Reported {
  readonly title: string
  /** The failure with its trace. Undefined: it passed. */
  readonly error?: string
}
