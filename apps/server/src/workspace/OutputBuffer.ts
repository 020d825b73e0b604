/** The last so many bytes of what a program prints, as text that never begins or ends within a character. */

export interface Printed {
  readonly text: string
  /** Something was printed before it. */
  readonly truncated: boolean
}

export interface OutputBuffer {
  readonly push: (chunk: Uint8Array) => void
  /** The last of it, at most `limit` bytes, and never more than is kept. `whole`: nothing more will come. */
  readonly last: (limit: number, whole: boolean) => Printed
}

/** Keeps `limit` bytes. */
export const make = (limit: number): OutputBuffer => {
  let chunks: Array<Uint8Array> = []
  let kept = 0
  let printed = 0

  /** Leaves out from the beginning what is not kept; now and then, since each time all is copied. */
  const trim = () => {
    const all = Buffer.concat(chunks)
    chunks = [all.subarray(Math.max(0, all.length - limit))]
    kept = Math.min(all.length, limit)
  }

  return {
    push: (chunk) => {
      chunks.push(chunk)
      kept += chunk.length
      printed += chunk.length
      if (kept > 2 * limit + 65_536 || chunks.length > 1024) trim()
    },
    last: (wanted, whole) => {
      trim()
      const size = Math.min(wanted, limit)
      const [bytes = new Uint8Array()] = chunks
      let from = Math.max(0, bytes.length - size)
      // What comes before is lost; the rest of a character says nothing without its beginning.
      const torn = printed > bytes.length || from > 0
      if (torn) from = characterFrom(bytes, from)
      const text = new TextDecoder("utf-8", { ignoreBOM: true }).decode(
        bytes.subarray(from, whole ? bytes.length : wholeEnd(bytes))
      )
      const fitting = within(text, size)
      return { text: fitting, truncated: torn || fitting !== text }
    }
  }
}

const isContinuation = (byte: number | undefined): boolean => byte !== undefined && (byte & 0xc0) === 0x80

/** The end of the last character that is all there. */
const wholeEnd = (bytes: Uint8Array): number => {
  for (let back = 1; back <= Math.min(3, bytes.length); back++) {
    const byte = bytes[bytes.length - back]
    if (byte === undefined || isContinuation(byte)) continue
    const length = byte >= 0xf0 ? 4 : byte >= 0xe0 ? 3 : byte >= 0xc0 ? 2 : 1
    return length > back ? bytes.length - back : bytes.length
  }
  return bytes.length
}

/** The beginning of the next character. What is no UTF-8 at all is left as it is. */
const characterFrom = (bytes: Uint8Array, from: number): number => {
  for (let at = from; at < from + 4; at++) if (!isContinuation(bytes[at])) return Math.min(at, bytes.length)
  return from
}

/** What is no UTF-8 becomes marks of three bytes each: then there may be more than there were bytes. */
const within = (text: string, limit: number): string => {
  if (text.length * 3 <= limit) return text
  const encoded = Buffer.from(text)
  const from = Math.max(0, encoded.length - limit)
  return from === 0 ? text : encoded.toString("utf8", characterFrom(encoded, from))
}
