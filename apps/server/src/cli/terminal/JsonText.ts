/** JSON for programs that is also safe to print on a terminal. */

const risky = /[\u007f-\u009f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/g

/**
 * Escapes the characters of a JSON text that could steer a terminal or change its direction. The JSON still parses to the same value.
 * JSON itself escapes the controls below U+0020.
 */
export const escaped = (json: string): string =>
  json.replace(risky, (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`)

/** A value on one line. */
export const jsonText = (value: unknown): string => escaped(JSON.stringify(value))
