/** Files of the disk that an editor may open: regular ones. A named pipe would never end. */
import { constants } from "node:fs"
import { open, stat } from "node:fs/promises"

/** No source is so long. */
const mostBytes = 5 * 1024 * 1024

const noFile = (path: string) => new Error(`${path} is no regular file.`)

/** Rejects if a file is not one to ask about, with a sentence. */
export const check = async (path: string): Promise<void> => {
  const found = await stat(path)
  if (!found.isFile()) throw noFile(path)
  if (found.size > mostBytes)
    throw new Error(`${path} has ${found.size} bytes, and files of at most ${mostBytes} are asked about.`)
}

export const read = async (path: string): Promise<Uint8Array> => {
  const file = await open(path, constants.O_RDONLY | constants.O_NONBLOCK)
  try {
    if (!(await file.stat()).isFile()) throw noFile(path)
    return await file.readFile()
  } finally {
    await file.close()
  }
}
