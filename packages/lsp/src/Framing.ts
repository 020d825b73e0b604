/**
 * Messages with a header, as language servers exchange them: bytes to texts and back, synchronously.
 *
 * Chunks may end anywhere. Each byte is looked at once and copied at most a few times, whatever the chunks are. What is kept of an
 * unfinished message is bounded: its header by {@link maxHeaderBytes}, its body by twice what has arrived of it, up to its length.
 */
import * as Result from "effect/Result"
import { FramingError } from "./FramingError.ts"
import { maxHeaderBytes, readLength } from "./Header.ts"

export interface Options {
  /** The longest body that is accepted, in bytes. */
  readonly maxBodyBytes: number
}

/** The texts that a chunk completes. With an error, no later byte is read. */
export interface Unframed {
  readonly texts: ReadonlyArray<string>
  readonly error: FramingError | undefined
}

export interface Unframer {
  readonly push: (chunk: Uint8Array) => Unframed
  /** The error, if the input ends within a message. */
  readonly end: () => FramingError | undefined
}

const carriageReturn = 13
const newline = 10

/** Bytes of a body that are made room for at first. */
const firstRoom = 64 * 1024

export const unframer = ({ maxBodyBytes }: Options): Unframer => {
  const decoder = new TextDecoder("utf-8", { ignoreBOM: true })
  const header = new Uint8Array(maxHeaderBytes)
  let headerLength = 0
  /** How many bytes of `\r\n\r\n` the header ends with. */
  let matched = 0
  /** The length of the body. Undefined while the header is read. */
  let need: number | undefined
  let body = new Uint8Array(0)
  let have = 0
  let failed: FramingError | undefined

  const textOfHeader = (to: number) => String.fromCharCode(...header.subarray(0, to))

  /** Takes bytes of the header, up to its end. Returns how many. */
  const takeHeader = (chunk: Uint8Array, from: number): number => {
    let at = from
    while (at < chunk.length && matched < 4) {
      if (headerLength === maxHeaderBytes) {
        const message = `A header does not end within ${maxHeaderBytes} bytes. It begins with ${JSON.stringify(textOfHeader(60))}`
        failed = new FramingError({ reason: "HeaderTooLong", message })
        return at - from
      }
      const byte = chunk[at] ?? 0
      header[headerLength] = byte
      headerLength += 1
      at += 1
      if (byte === (matched % 2 === 0 ? carriageReturn : newline)) matched += 1
      else matched = byte === carriageReturn ? 1 : 0
    }
    if (matched < 4) return at - from
    const length = readLength(textOfHeader(headerLength - 4), maxBodyBytes)
    if (Result.isSuccess(length)) need = length.success
    else failed = length.failure
    return at - from
  }

  /** Room for more bytes of a body: doubled, so that copying stays linear. */
  const grow = (to: number, most: number) => {
    if (to <= body.length) return
    const larger = new Uint8Array(Math.min(most, Math.max(to, body.length * 2, firstRoom)))
    larger.set(body.subarray(0, have))
    body = larger
  }

  const next = () => {
    headerLength = 0
    matched = 0
    need = undefined
    have = 0
    body = new Uint8Array(0)
  }

  /** Takes bytes of the body. Returns how many. */
  const takeBody = (chunk: Uint8Array, from: number, length: number, texts: Array<string>): number => {
    const taken = Math.min(length - have, chunk.length - from)
    const part = chunk.subarray(from, from + taken)
    if (taken === length) {
      texts.push(decoder.decode(part))
      next()
      return taken
    }
    grow(have + taken, length)
    body.set(part, have)
    have += taken
    if (have === length) {
      texts.push(decoder.decode(body.subarray(0, length)))
      next()
    }
    return taken
  }

  return {
    push: (chunk) => {
      const texts: Array<string> = []
      let at = 0
      // A body of no bytes is complete without a further one.
      const goesOn = () => failed === undefined && (at < chunk.length || need === 0)
      while (goesOn()) at += need === undefined ? takeHeader(chunk, at) : takeBody(chunk, at, need, texts)
      return { texts, error: failed }
    },
    end: () => {
      if (failed !== undefined) return failed
      if (need === undefined && headerLength === 0) return undefined
      const message = need === undefined ? "The input ended within a header" : "The input ended within a message"
      return new FramingError({ reason: "Cut", message })
    }
  }
}

const encoder = new TextEncoder()
const lineEnd = 10

/** Puts a header before each message. */
export interface Framer {
  /** Takes lines of JSON, which may be cut anywhere. Returns the messages that are complete. */
  readonly push: (chunk: Uint8Array) => Uint8Array
}

const joined = (parts: ReadonlyArray<Uint8Array>): Uint8Array => {
  const whole = new Uint8Array(lengthOf(parts))
  let at = 0
  for (const part of parts) {
    whole.set(part, at)
    at += part.length
  }
  return whole
}

const lengthOf = (parts: ReadonlyArray<Uint8Array>): number => parts.reduce((total, { length }) => total + length, 0)

/** Makes messages of lines. The bytes of a line are not read: a document of megabytes is one of them. */
export const framer = (): Framer => {
  let begun: Array<Uint8Array> = []
  return {
    push: (chunk) => {
      const parts: Array<Uint8Array> = []
      let at = 0
      for (let end = chunk.indexOf(lineEnd); end !== -1; end = chunk.indexOf(lineEnd, at)) {
        const body = [...begun, chunk.subarray(at, end)]
        begun = []
        at = end + 1
        parts.push(encoder.encode(`Content-Length: ${lengthOf(body)}\r\n\r\n`), ...body)
      }
      if (at < chunk.length) begun.push(chunk.slice(at))
      return joined(parts)
    }
  }
}
