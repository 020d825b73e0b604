import { assert, describe, it } from "@effect/vitest"
import { execFileSync } from "node:child_process"
import { truncateSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { temporaryFolder } from "../../../packages/system/test/support/TemporaryFolder.ts"
import * as DiskFile from "../src/editor/DiskFile.ts"

const failing = async (what: Promise<unknown>): Promise<string> => {
  try {
    await what
    return "It was taken."
  } catch (error) {
    return String(error)
  }
}

describe("a file of the disk", () => {
  it("is opened if it is a regular one of a bounded size", async () => {
    const folder = temporaryFolder("disk")
    const [plain, pipe, huge] = [join(folder, "a.ts"), join(folder, "pipe.ts"), join(folder, "huge.ts")]
    writeFileSync(plain, "text")
    execFileSync("mkfifo", [pipe])
    writeFileSync(huge, "")
    truncateSync(huge, 5 * 1024 * 1024 + 1)
    await DiskFile.check(plain)
    assert.strictEqual(Buffer.from(await DiskFile.read(plain)).toString(), "text")
    assert.include(await failing(DiskFile.check(huge)), "5242881 bytes")
    for (const path of [pipe, folder]) {
      assert.include(await failing(DiskFile.check(path)), "is no regular file")
      assert.include(await failing(DiskFile.read(path)), "is no regular file")
    }
  })
})
