/** A file that a person names for reading. It may be a pipe, such as `<(jq . rules)` in a shell, or a device. */
import { constants, type Stats } from "node:fs"
import { type FileHandle, open, stat } from "node:fs/promises"
import { codeOf } from "./SystemError.ts"

export interface Options {
  /** Most bytes that are wanted. Of a longer file, a piece more than that is read. */
  readonly most: number
  /** Throws if the file is of a kind that is not wanted. */
  readonly check?: (stats: Stats) => void
  /** Milliseconds to wait for the first bytes of a pipe. Opening one without a writer would wait for ever. */
  readonly patience?: number
}

const pieceBytes = 64 * 1024

/** Milliseconds between two looks into a pipe. */
const pause = 20

/** Reads a file. Throws the error of the system, or one in words. */
export const read = async (path: string, { check, most, patience = 5000 }: Options): Promise<Buffer> => {
  const isPipe = (await stat(path)).isFIFO()
  const file = await open(path, isPipe ? constants.O_RDONLY | constants.O_NONBLOCK : constants.O_RDONLY)
  try {
    check?.(await file.stat())
    const next = isPipe ? ofPipe(file, Date.now() + patience) : () => piece(file)
    const pieces: Array<Buffer> = []
    for (let length = 0; length <= most; length += pieces.at(-1)?.length ?? 0) {
      const bytes = await next()
      if (bytes.length === 0) break
      pieces.push(bytes)
    }
    return Buffer.concat(pieces)
  } finally {
    await file.close()
  }
}

const piece = async (file: FileHandle): Promise<Buffer> => {
  const { buffer, bytesRead } = await file.read({ buffer: Buffer.alloc(pieceBytes) })
  return buffer.subarray(0, bytesRead)
}

/** Undefined while a writer has the pipe open, and nothing to say. */
const pieceOfPipe = (file: FileHandle): Promise<Buffer | undefined> =>
  piece(file).catch((error: unknown) => {
    if (codeOf(error) === "EAGAIN") return undefined
    throw error
  })

/** Reads the next piece of a pipe. Before its first bytes, an end only means that nobody has it open for writing yet. */
const ofPipe = (file: FileHandle, deadline: number) => {
  let hasBegun = false
  return async (): Promise<Buffer> => {
    for (;;) {
      const bytes = await pieceOfPipe(file)
      if (bytes !== undefined && (hasBegun || bytes.length > 0)) {
        hasBegun = true
        return bytes
      }
      if (!hasBegun && Date.now() >= deadline) throw new Error("it is a pipe to which nobody writes")
      await new Promise((resolve) => setTimeout(resolve, pause))
    }
  }
}
