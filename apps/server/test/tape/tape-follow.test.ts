/** A tape is followed while it grows: over its parts, to its end, and no longer than it is there. */
import { assert, describe, it } from "@effect/vitest"
import { ProviderSessionId, ThreadId } from "@signalbox/contracts/Ids"
import { appendFileSync, mkdirSync, rmSync, truncateSync, utimesSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { temporaryFolder } from "../../../../packages/system/test/support/TemporaryFolder.ts"
import * as TapeFollow from "../../src/tape/TapeFollow.ts"
import * as TapeName from "../../src/tape/TapeName.ts"
import { lineOf } from "../../src/tape/TapeNote.ts"

const name = TapeName.of(ThreadId.make("t"), ProviderSessionId.make("4a8bd2f0-0000-4000-8000-000000000001"))
const line = (text: string) => `${JSON.stringify({ at: 1, dir: "in", line: text })}\n`
const partLine = (part: number, firstLine: number) =>
  `${lineOf(1, JSON.stringify({ event: "part", part, firstLine }))}\n`

/** Follows a tape in a folder. Each time that all was read, the next step is done; without one, it ends. */
const followed = async (folder: string, ...steps: ReadonlyArray<() => void>) => {
  const seen: Array<string> = []
  const left = [...steps]
  for await (const batch of TapeFollow.follow(folder, name, async () => {
    const step = left.shift()
    step?.()
    return step !== undefined
  }))
    seen.push(
      batch.length === 0
        ? "end"
        : batch
            .map((one) =>
              one.type === "fault" ? one.reason : `${one.line} ${one.type === "note" ? "note" : String(one.message)}`
            )
            .join(", ")
    )
  return seen
}

const tapeFolder = () => {
  const folder = join(temporaryFolder("tapes"), "tapes")
  mkdirSync(folder)
  return folder
}

describe("a tape that is followed", () => {
  it("is read to its end, and then line by line as it grows", async () => {
    const folder = tapeFolder()
    const path = join(folder, name)
    writeFileSync(path, line("one") + line("two"))
    const seen = await followed(
      folder,
      () => appendFileSync(path, line("three")),
      // Half a line waits for its rest.
      () => appendFileSync(path, line("four").slice(0, 20)),
      () => appendFileSync(path, line("four").slice(20))
    )
    assert.deepStrictEqual(seen, ["1 one, 2 two", "end", "3 three", "end", "end", "4 four", "end"])
  })

  it("is found to go on, and to be gone, where its folder had not changed for long", async () => {
    const folder = tapeFolder()
    const path = join(folder, name)
    const next = join(folder, TapeName.ofPart(name, 2))
    const long = new Date(Date.now() - 60_000)
    const settle = () => utimesSync(folder, long, long)
    writeFileSync(path, line("one"))
    settle()
    const seen = await followed(
      folder,
      () => appendFileSync(path, line("two")),
      () => {
        writeFileSync(next, partLine(2, 3) + line("four"))
      },
      settle,
      () => appendFileSync(next, line("five")),
      () => {
        rmSync(path)
        rmSync(next)
      },
      () => assert.fail("It is gone")
    )
    assert.deepStrictEqual(seen, ["1 one", "end", "2 two", "end", "3 note, 4 four", "end", "end", "5 five", "end"])
  })

  it("goes on in its next part, and says which lines were given up", async () => {
    const folder = tapeFolder()
    const part = (number: number) => join(folder, TapeName.ofPart(name, number))
    writeFileSync(part(1), line("one"))
    const seen = await followed(
      folder,
      () => writeFileSync(part(2), partLine(2, 2) + line("two")),
      () => {
        rmSync(part(2))
        writeFileSync(part(4), partLine(4, 9) + line("nine"))
      }
    )
    assert.deepStrictEqual(seen, [
      "1 one",
      "end",
      "2 note, 3 two",
      "end",
      "Lines 4 to 8 are not there: they were given up to keep the tape within its bound, or a part of it was lost., 9 note, 10 nine",
      "end"
    ])
  })

  it("is read whole where its lines are longer than what is read at once", async () => {
    const folder = tapeFolder()
    const long = ["a", "b"].map((letter) => letter.repeat(200_000))
    writeFileSync(join(folder, name), long.map(line).join(""))
    assert.deepStrictEqual(await followed(folder), [`1 ${long[0]}`, `2 ${long[1]}`, "end"])
  })

  it("says where a line is damaged, and goes on", async () => {
    const folder = tapeFolder()
    writeFileSync(join(folder, name), `${line("one")}{"at":\n${line("three")}`)
    assert.deepStrictEqual(await followed(folder), ["1 one, Line 2 is damaged: it is not JSON., 3 three", "end"])
  })

  it("ends when it is deleted", async () => {
    const folder = tapeFolder()
    writeFileSync(join(folder, name), line("one"))
    let later = 0
    const seen = await followed(
      folder,
      () => rmSync(join(folder, name)),
      () => (later += 1)
    )
    assert.deepStrictEqual(seen, ["1 one", "end"])
    assert.strictEqual(later, 0)
  })

  it("that is not there has nothing", async () => {
    assert.deepStrictEqual(await followed(tapeFolder()), [])
    assert.deepStrictEqual(await followed(join(temporaryFolder("tapes"), "missing")), [])
  })

  it("has nothing of what other threads and other sessions left", async () => {
    const folder = tapeFolder()
    const other = TapeName.of(ThreadId.make("t2"), ProviderSessionId.make("4a8bd2f0-0000-4000-8000-000000000001"))
    writeFileSync(join(folder, other), line("other"))
    assert.deepStrictEqual(await followed(folder), [])
    truncateSync(join(folder, other))
  })
})
