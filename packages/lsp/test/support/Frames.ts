/** Framed messages, put together by no code of the package. */

/** Messages one behind the other, each with its header. They may hold line ends. */
export const frame = (texts: ReadonlyArray<string>): Uint8Array =>
  new Uint8Array(
    Buffer.concat(texts.map((text) => Buffer.from(`Content-Length: ${Buffer.byteLength(text)}\r\n\r\n${text}`)))
  )
