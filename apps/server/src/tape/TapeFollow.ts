/** Reads a tape and goes on as it grows, until nobody listens or the tape is deleted. */
import * as LineSplitter from "@signalbox/acp/LineSplitter"
import { codeOf } from "@signalbox/system/SystemError"
import { type FileHandle, open, stat } from "node:fs/promises"
import * as TapeFolder from "./TapeFolder.ts"
import * as TapeReader from "./TapeReader.ts"

/** Lines that were read together. Empty: all that the tape has was read. */
export type Batch = ReadonlyArray<TapeReader.TapeLine | TapeReader.TapeFault>

const bytesAtOnce = 64 * 1024

/**
 * Yields batches, and an empty one each time that it has come to the end. Ends once the tape is gone.
 *
 * @param wait is called at the end of the tape, and answers when it is worth to look again; false ends the reading
 */
export async function* follow(folder: string, name: string, wait: () => Promise<boolean>): AsyncGenerator<Batch> {
  const lines = TapeReader.counter()
  const mayDiffer = lookout(folder)
  let parts: Awaited<ReturnType<typeof TapeFolder.partsIn>> = []
  let current: Part | undefined
  try {
    for (;;) {
      // The folder may hold the tapes of thousands of sessions.
      if (await mayDiffer()) parts = await TapeFolder.partsIn(folder, name)
      if (parts.length === 0) return
      // What has a part behind it was written before, and is read to its end.
      if (current !== undefined) yield* rest(current, lines)
      const next = parts.find(({ number }) => number > (current?.number ?? 0))
      if (next !== undefined) {
        await current?.file.close()
        current = await begun(next, lines)
        if (current === undefined) return
        continue
      }
      yield []
      if (!(await wait())) return
    }
  } finally {
    await current?.file.close()
  }
}

/** How long a change of a folder may look like the one before: clocks of files go in steps. */
const coarsestClock = 2000

/** Says whether a folder may have other files than when this was asked before. */
const lookout = (folder: string): (() => Promise<boolean>) => {
  let known: number | undefined
  return async () => {
    const changedAt = await stat(folder).then(
      ({ mtimeMs }) => mtimeMs,
      // Who lists it says what is wrong.
      () => undefined
    )
    const isSame = changedAt !== undefined && changedAt === known
    known = changedAt !== undefined && Date.now() - changedAt > coarsestClock ? changedAt : undefined
    return !isSame
  }
}

interface Part {
  readonly number: number
  readonly file: FileHandle
  readonly splitter: LineSplitter.LineSplitter
}

const begun = async (
  { number, path }: { readonly number: number; readonly path: string },
  lines: TapeReader.LineCounter
): Promise<Part | undefined> => {
  const file = await open(path).catch((error: unknown) => {
    if (codeOf(error) === "ENOENT") return undefined
    throw error
  })
  if (file === undefined) return undefined
  lines.begin(path)
  // No limit: a line of a tape is longer than the longest message in it.
  return { number, file, splitter: LineSplitter.make({ maxLineBytes: Number.MAX_SAFE_INTEGER }) }
}

/** What the part has got since. A last line without its end waits. */
async function* rest({ file, splitter }: Part, lines: TapeReader.LineCounter): AsyncGenerator<Batch> {
  // No Buffer: a slice of one shares its bytes, and the splitter keeps a slice of what is no whole line.
  const buffer = new Uint8Array(bytesAtOnce)
  for (;;) {
    const { bytesRead } = await file.read(buffer, 0, buffer.length)
    if (bytesRead === 0) return
    const batch = splitter.push(buffer.subarray(0, bytesRead)).flatMap(lines.take)
    if (batch.length > 0) yield batch
  }
}
