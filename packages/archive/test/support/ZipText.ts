/** A zip archive of texts, not compressed, as bytes. */
import { crc32 } from "node:zlib"

export interface ZipEntry {
  readonly path: string
  readonly text: string
}

/** Numbers of two and of four bytes, the lowest byte first. */
const numbers = (...fields: ReadonlyArray<readonly [bytes: 2 | 4, value: number]>): Buffer => {
  const buffer = Buffer.alloc(fields.reduce((sum, [bytes]) => sum + bytes, 0))
  let at = 0
  for (const [bytes, value] of fields) at = buffer.writeUIntLE(value, at, bytes)
  return buffer
}

export const zipOf = (...entries: ReadonlyArray<ZipEntry>): Buffer => {
  const files: Array<Buffer> = []
  const list: Array<Buffer> = []
  let at = 0
  for (const { path, text } of entries) {
    const [name, content] = [Buffer.from(path), Buffer.from(text)]
    // Version 2.0, no flags, not compressed, no time.
    const shared = numbers(
      [2, 20],
      [2, 0],
      [2, 0],
      [4, 0],
      [4, crc32(content)],
      [4, content.length],
      [4, content.length],
      [2, name.length],
      [2, 0]
    )
    const file = Buffer.concat([numbers([4, 0x04034b50]), shared, name, content])
    files.push(file)
    list.push(numbers([4, 0x02014b50], [2, 20]), shared, numbers([2, 0], [2, 0], [2, 0], [4, 0], [4, at]), name)
    at += file.length
  }
  const index = Buffer.concat(list)
  const count = entries.length
  const end = numbers([4, 0x06054b50], [2, 0], [2, 0], [2, count], [2, count], [4, index.length], [4, at], [2, 0])
  return Buffer.concat([...files, index, end])
}
