/** The last bytes of a program's output, as text that never begins or ends inside a character. */

export interface Printed {
  readonly text: string
  /** Whether there was earlier output that is left out. */
  readonly truncated: boolean
}

export interface OutputBuffer {
  readonly push: (chunk: Uint8Array) => void
  /** Replaces all output. `torn`: earlier output is left out. */
  readonly become: (text: string, torn: boolean) => void
  /** The end of the output, at most `limit` bytes and never more than is kept. `whole`: no more output will come. */
  readonly last: (limit: number, whole: boolean) => Printed
}

/** Keeps `limit` bytes. */
export const make = (limit: number): OutputBuffer => {
  let chunks: Array<Uint8Array> = []
  let kept = 0
  let printed = 0

  /** Drops the beginning that is not kept. It runs only now and then, since it copies the rest each time. */
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
    become: (text, torn) => {
      const bytes = Buffer.from(text)
      chunks = [bytes]
      kept = bytes.length
      printed = torn ? bytes.length + 1 : bytes.length
    },
    last: (wanted, whole) => {
      trim()
      const size = Math.min(wanted, limit)
      const [bytes = new Uint8Array()] = chunks
      let from = Math.max(0, bytes.length - size)
      // The earlier bytes are lost, so the rest of a cut character is dropped too.
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

/** The end of the last complete character. */
const wholeEnd = (bytes: Uint8Array): number => {
  for (let back = 1; back <= Math.min(3, bytes.length); back++) {
    const byte = bytes[bytes.length - back]
    if (byte === undefined || isContinuation(byte)) continue
    const length = byte >= 0xf0 ? 4 : byte >= 0xe0 ? 3 : byte >= 0xc0 ? 2 : 1
    return length > back ? bytes.length - back : bytes.length
  }
  return bytes.length
}

/** The beginning of the next character. Bytes that are not UTF-8 are left as they are. */
const characterFrom = (bytes: Uint8Array, from: number): number => {
  for (let at = from; at < from + 4; at++) if (!isContinuation(bytes[at])) return Math.min(at, bytes.length)
  return from
}

/**
 * Cuts text to the limit. Invalid bytes become marks of three bytes each, so the text may be larger than its bytes
 * were.
 */
const within = (text: string, limit: number): string => {
  if (text.length * 3 <= limit) return text
  const encoded = Buffer.from(text)
  const from = Math.max(0, encoded.length - limit)
  return from === 0 ? text : encoded.toString("utf8", characterFrom(encoded, from))
}
