/** Prepares tapes for a replay: each recorded process becomes a file of its own, with the facts about it. */
import { createWriteStream } from "node:fs"
import { join } from "node:path"
import { once } from "node:events"
import * as Drivers from "../provider/drivers/Drivers.ts"
import * as TapeReader from "../tape/TapeReader.ts"
import { type RecordedRun, type RunReader, reader } from "./RecordedRun.ts"

export interface Reel {
  /** All recorded processes, in the order of the tapes. */
  readonly runs: ReadonlyArray<RecordedRun>
  /** Faults of a tape that belong to no process. */
  readonly faults: ReadonlyArray<TapeReader.TapeFault>
}

interface Open {
  readonly run: RunReader
  readonly write: (text: string) => Promise<void>
  readonly close: () => Promise<void>
}

/**
 * Loads tapes. `tapes`: the parts of each tape, in order. `folder`: the folder for the files. Fails with the system's
 * error.
 */
export const load = async (
  tapes: ReadonlyArray<ReadonlyArray<string>>,
  folder: string,
  drivers = Drivers.all
): Promise<Reel> => {
  const runs: Array<RecordedRun> = []
  const faults: Array<TapeReader.TapeFault> = []
  let open: Open | undefined

  const end = async (fault?: TapeReader.TapeFault) => {
    if (open !== undefined) runs.push(open.run.end(fault))
    else if (fault !== undefined) faults.push(fault)
    await open?.close()
    open = undefined
  }

  for (const paths of tapes) {
    for await (const line of TapeReader.read(paths)) {
      if (line.type === "fault") {
        await end(line)
        continue
      }
      if (line.type === "note" && line.note?.event === "start") {
        await end()
        const path = join(folder, `${runs.length + 1}.ndjson`)
        open = { run: reader(line.note, line, path, drivers), ...writer(path) }
      } else open?.run.take(line)
      await open?.write(line.text)
    }
    await end()
  }
  return { runs, faults }
}

const writer = (path: string): Pick<Open, "write" | "close"> => {
  const file = createWriteStream(path, { mode: 0o600 })
  return {
    write: async (text) => {
      if (!file.write(`${text}\n`)) await once(file, "drain")
    },
    close: async () => {
      file.end()
      await once(file, "close")
    }
  }
}
