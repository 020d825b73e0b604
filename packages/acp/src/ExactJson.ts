/**
 * Reads JSON without rounding its numbers: a number that JavaScript can't hold stays the text that it was. It is written as that text again.
 *
 * Needs `JSON.rawJSON`, which Node.js has since version 22. Elsewhere numbers are rounded, as `JSON.parse` does it.
 */

/** A number as text, which `JSON.stringify` writes as it stands. It is no number to code that computes. */
interface RawNumber {
  readonly rawJSON: string
}

declare global {
  interface JSON {
    readonly rawJSON?: (text: string) => RawNumber
    readonly isRawJSON?: (value: unknown) => value is RawNumber
    parse(
      text: string,
      reviver: (key: string, value: unknown, context: { readonly source?: string }) => unknown
    ): unknown
  }
}

/** Text that may hold a number of many digits, or with an exponent. Most texts have none, and are read by `JSON.parse` alone. */
const suspicious = /[\d.]{16}|\d[eE]\+?\d{3}/

/** Digits that a number of JavaScript always keeps. */
const safeDigits = 15

const isRounded = (value: number, source: string): boolean =>
  !Number.isFinite(value) || (source.length > safeDigits && String(value) !== source)

/** Reads a text. Throws where it is no JSON. */
export const parse = (text: string): unknown => {
  const { rawJSON } = JSON
  if (rawJSON === undefined || !suspicious.test(text)) return JSON.parse(text)
  try {
    return JSON.parse(text, (_key, value, { source }) =>
      typeof value === "number" && source !== undefined && isRounded(value, source) ? rawJSON(source) : value
    )
  } catch {
    // Nested too deep for this reading, or no JSON: then this one throws, too.
    return JSON.parse(text)
  }
}

/** Whether a value is a number that was too large or too exact to be read. */
export const isRawNumber = (value: unknown): boolean => JSON.isRawJSON?.(value) ?? false
