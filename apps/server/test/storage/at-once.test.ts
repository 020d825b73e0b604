/** Databases that two programs make at the same moment: on a first start, a server and a run do. */
import { assert, describe, it } from "@effect/vitest"
import { spawn } from "node:child_process"
import { text } from "node:stream/consumers"
import { fileURLToPath } from "node:url"
import { temporaryFolder } from "../../../../packages/system/test/support/TemporaryFolder.ts"

const opener = fileURLToPath(new URL("support/opener.ts", import.meta.url))

/** Milliseconds until the first round. A program that starts later hurries through the first rounds, and meets the other one behind them. */
const startsWithin = 1500

describe("a database that two programs make at the same moment", () => {
  for (const kind of ["audit", "tally"])
    it(`is there for both of them, as far as they wait: ${kind}`, async () => {
      const time = String(Date.now() + startsWithin)
      const folder = temporaryFolder(kind)
      const said = [1, 2].map(() => {
        const child = spawn(process.execPath, [opener, kind, folder, time, "60"], {
          stdio: ["ignore", "pipe", "inherit"]
        })
        return text(child.stdout)
      })
      assert.deepStrictEqual(await Promise.all(said), ["", ""])
    })
})
