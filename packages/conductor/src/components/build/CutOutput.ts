/** Output of a program as it comes. When it is long, its beginning and its end are kept, and the middle is counted. */

export interface CutText {
  /** A line of its own says how much is missing. */
  readonly text: string
  readonly omittedBytes: number
}

export interface CutOutput {
  readonly push: (bytes: Uint8Array) => void
  readonly read: () => CutText
}

/** The most bytes of output that an agent gets. */
const most = 32 * 1024

const lineFeed = 0x0a
const isContinuation = (byte: number | undefined): boolean => byte !== undefined && (byte & 0xc0) === 0x80

/** The whole lines at the beginning. One line that is longer than all stays, without half a character. */
const headOf = (bytes: Uint8Array): Uint8Array => {
  const end = bytes.lastIndexOf(lineFeed)
  if (end !== -1) return bytes.subarray(0, end + 1)
  let length = bytes.length
  while (length > 0 && isContinuation(bytes[length - 1])) length -= 1
  return bytes.subarray(0, Math.max(0, length - 1))
}

/** The whole lines at the end, where there are several. */
const tailOf = (bytes: Uint8Array): Uint8Array => {
  const begin = bytes.indexOf(lineFeed)
  if (begin !== -1 && begin < bytes.length - 1) return bytes.subarray(begin + 1)
  let first = 0
  while (isContinuation(bytes[first])) first += 1
  return bytes.subarray(first)
}

const joined = (one: Uint8Array, other: Uint8Array): Uint8Array => {
  const all = new Uint8Array(one.length + other.length)
  all.set(one)
  all.set(other, one.length)
  return all
}

const decoded = (bytes: Uint8Array): string => new TextDecoder().decode(bytes)

export const make = (): CutOutput => {
  const half = most / 2
  const head = new Uint8Array(half)
  /** What comes behind the head, in turns: the latest bytes overwrite the oldest ones. */
  const ring = new Uint8Array(half)
  let inHead = 0
  let behind = 0

  const push = (bytes: Uint8Array): void => {
    const begin = bytes.subarray(0, half - inHead)
    head.set(begin, inHead)
    inHead += begin.length
    const rest = bytes.subarray(begin.length)
    const kept = rest.subarray(Math.max(0, rest.length - half))
    const at = (behind + rest.length - kept.length) % half
    const first = kept.subarray(0, half - at)
    ring.set(first, at)
    ring.set(kept.subarray(first.length), 0)
    behind += rest.length
  }

  const read = (): CutText => {
    const at = behind % half
    const last = behind <= half ? ring.subarray(0, behind) : joined(ring.subarray(at), ring.subarray(0, at))
    const beginning = head.subarray(0, inHead)
    if (behind <= half) return { text: decoded(joined(beginning, last)), omittedBytes: 0 }
    const [first, end] = [headOf(beginning), tailOf(last)]
    const omittedBytes = inHead + behind - first.length - end.length
    const break_ = first.at(-1) === lineFeed ? "" : "\n"
    return {
      text: `${decoded(first)}${break_}[… ${omittedBytes.toLocaleString("en-US")} bytes are left out here …]\n${decoded(end)}`,
      omittedBytes
    }
  }

  return { push, read }
}
