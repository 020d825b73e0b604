/**
 * Bytes to lines, synchronously, for newline-delimited JSON (ACP v1, transports).
 *
 * Chunks may end anywhere, inside a character too. A carriage return before the newline is taken off, and empty lines are left out. What
 * follows the last newline is a line when the input ends. A line longer than the limit is reported once and skipped up to its newline; its
 * bytes are not kept.
 */

/** 32 MiB, in bytes: what other implementations of the protocol accept. */
export const defaultMaxLineBytes = 32 * 1024 * 1024

export interface Options {
  /** The longest line that is accepted, in bytes without its newline. */
  readonly maxLineBytes?: number | undefined
  /** Called once per line that is too long, when the limit is passed, with the beginning of the line. */
  readonly onOversized?: ((head: string) => void) | undefined
  /** Called once per line that is too long, when it has ended, with its beginning and its end. */
  readonly onSkipped?: ((head: string, tail: string) => void) | undefined
}

export interface LineSplitter {
  /** The lines that this chunk completes. */
  readonly push: (chunk: Uint8Array) => ReadonlyArray<string>
  /** The lines that this chunk completes, as texts of many lines each. {@link eachLine} finds them there. */
  readonly pushTexts: (chunk: Uint8Array) => ReadonlyArray<string>
  /** The last line, if the input ended without a newline. */
  readonly end: () => ReadonlyArray<string>
}

const newline = 10
const carriageReturn = 13
/** Bytes that are kept of each end of a line that is too long. */
export const headBytes = 256
const none: ReadonlyArray<string> = []

const concat = (parts: ReadonlyArray<Uint8Array>, length: number): Uint8Array => {
  const whole = new Uint8Array(length)
  let offset = 0
  for (const part of parts) {
    whole.set(part, offset)
    offset += part.length
  }
  return whole
}

/** A copy of the last bytes of a text that may stand in two parts. */
const lastOf = (bytes: Uint8Array, before: Uint8Array = new Uint8Array(0)): Uint8Array => {
  const last = bytes.slice(-headBytes)
  return last.length === headBytes || before.length === 0
    ? last
    : concat([before, last], before.length + last.length).slice(-headBytes)
}

/** Hands over where each line begins and ends in a text of many lines: without its line break, and only if it is not empty. */
export const eachLine = (text: string, take: (from: number, to: number) => void): void => {
  for (let from = 0; from < text.length;) {
    const found = text.indexOf("\n", from)
    const end = found === -1 ? text.length : found
    const to = text.charCodeAt(end - 1) === carriageReturn ? end - 1 : end
    if (to > from) take(from, to)
    from = end + 1
  }
}

/** The lines of texts of many lines each. */
const linesOf = (texts: ReadonlyArray<string>): ReadonlyArray<string> => {
  const lines: Array<string> = []
  for (const text of texts) {
    for (const line of text.split("\n")) {
      const kept = line.charCodeAt(line.length - 1) === carriageReturn ? line.slice(0, -1) : line
      if (kept.length > 0) lines.push(kept)
    }
  }
  return lines
}

export const make = (options: Options = {}): LineSplitter => {
  const limit = options.maxLineBytes ?? defaultMaxLineBytes
  const decoder = new TextDecoder("utf-8", { ignoreBOM: true })
  let carried: Array<Uint8Array> = []
  let carriedLength = 0
  /** The line that is skipped: its beginning, and its end so far. */
  let skipped: { readonly head: string; tail: Uint8Array } | undefined

  const drop = () => {
    carried = []
    carriedLength = 0
  }

  const tooLong = (beginning: Uint8Array) => {
    const head = decoder.decode(beginning.subarray(0, headBytes))
    options.onOversized?.(head)
    drop()
    return { head, tail: lastOf(beginning) }
  }

  const skip = ({ head, tail }: { readonly head: string; readonly tail: Uint8Array }) => {
    skipped = undefined
    options.onSkipped?.(head, decoder.decode(tail))
  }

  /** What was carried over, followed by `bytes`. */
  const joined = (bytes: Uint8Array): Uint8Array => {
    if (carriedLength === 0) return bytes
    carried.push(bytes)
    const whole = concat(carried, carriedLength + bytes.length)
    drop()
    return whole
  }

  const carry = (bytes: Uint8Array) => {
    if (bytes.length === 0) return
    if (carriedLength + bytes.length > limit) {
      skipped = tooLong(joined(bytes))
      return
    }
    // A copy: a reader may fill the same buffer again.
    carried.push(bytes.slice())
    carriedLength += bytes.length
  }

  /** Complete lines of which some may be too long. */
  const checkedTextsOf = (bytes: Uint8Array, into: Array<string>) => {
    let start = 0
    while (start <= bytes.length) {
      const found = bytes.indexOf(newline, start)
      const end = found === -1 ? bytes.length : found
      const line = bytes.subarray(start, end)
      if (line.length > limit) skip(tooLong(line))
      else into.push(decoder.decode(line))
      start = end + 1
    }
  }

  /** Complete lines. Where none can be too long, one decode is for all of them. */
  const textsOf = (bytes: Uint8Array, into: Array<string>) => {
    if (bytes.length <= limit) into.push(decoder.decode(bytes))
    else checkedTextsOf(bytes, into)
  }

  const pushTexts = (chunk: Uint8Array): ReadonlyArray<string> => {
    let rest = chunk
    if (skipped !== undefined) {
      const end = chunk.indexOf(newline)
      skipped.tail = lastOf(chunk.subarray(0, end === -1 ? chunk.length : end), skipped.tail)
      if (end === -1) return none
      skip(skipped)
      rest = chunk.subarray(end + 1)
    }
    const last = rest.lastIndexOf(newline)
    if (last === -1) {
      carry(rest)
      return none
    }
    const texts: Array<string> = []
    // What was carried over is completed by itself, so that the rest of the chunk need not be copied.
    const first = carriedLength === 0 ? -1 : rest.indexOf(newline)
    if (first !== -1) textsOf(joined(rest.subarray(0, first)), texts)
    if (first < last) textsOf(rest.subarray(first + 1, last), texts)
    carry(rest.subarray(last + 1))
    return texts
  }

  const end = () => (carriedLength === 0 ? none : linesOf([decoder.decode(joined(new Uint8Array(0)))]))

  return { push: (chunk) => linesOf(pushTexts(chunk)), pushTexts, end }
}
