import { assert, describe, it } from "@effect/vitest"
import { statSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import * as PrivateFolder from "../src/PrivateFolder.ts"
import { temporaryFolder } from "./support/TemporaryFolder.ts"

describe("a private folder", () => {
  it("is made with all that it lies in, for its owner only, and only once", () => {
    const base = temporaryFolder("folder")
    const folder = join(base, "a", "b")
    PrivateFolder.make(folder)
    PrivateFolder.make(folder)
    assert.strictEqual(statSync(folder).mode & 0o777, 0o700)
  })

  it("is not made in a file", () => {
    const base = temporaryFolder("folder")
    writeFileSync(join(base, "file"), "")
    assert.throws(() => PrivateFolder.make(join(base, "file", "a")), /ENOTDIR|EEXIST/)
    assert.throws(() => PrivateFolder.make(join(base, "file")), /EEXIST/)
  })

  it.skipIf(process.platform !== "linux")("is refused where none can be made, instead of being tried for ever", () => {
    assert.throws(() => PrivateFolder.make("/proc/signalbox/state"), /ENOENT|EACCES|EPERM/)
  })
})
