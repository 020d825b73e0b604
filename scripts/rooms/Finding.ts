/** What does not hold, where, and what to do about it. */
export interface Finding {
  /** `file:line`, where there is one. */
  readonly where?: string
  readonly text: string
  /** What shows it, a line each. */
  readonly evidence?: ReadonlyArray<string>
  readonly next: string
}

export const at = ({ from, line }: { readonly from: string; readonly line: number }): string => `${from}:${line}`

export const print = ({ evidence = [], next, text, where }: Finding): string =>
  [`${where === undefined ? "" : `${where}: `}${text}`, ...evidence, `Next: ${next}`].join("\n    ")
