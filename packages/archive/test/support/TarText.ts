/** Archives made entry by entry, so that they hold what no honest program writes. */
import { Header } from "tar"
import { gzipSync } from "node:zlib"

export interface TarEntry {
  readonly path: string
  readonly text?: string | undefined
  readonly type?: "File" | "SymbolicLink" | "Link" | "CharacterDevice" | undefined
  readonly target?: string | undefined
  /** The size that the archive claims, if not that of the text. */
  readonly size?: number | undefined
}

const block = 512

const bytesOf = ({ path, size, target, text = "", type = "File" }: TarEntry): Buffer => {
  const body = Buffer.from(text)
  const head = Buffer.alloc(block)
  new Header({
    path,
    type,
    mode: 0o644,
    size: size ?? body.length,
    mtime: new Date(0),
    ...(target !== undefined && { linkpath: target })
  }).encode(head, 0)
  return Buffer.concat([head, body, Buffer.alloc((block - (body.length % block)) % block)])
}

/** A compressed tar. */
export const tarOf = (...entries: ReadonlyArray<TarEntry>): Buffer =>
  gzipSync(Buffer.concat([...entries.map(bytesOf), Buffer.alloc(2 * block)]))
