import { assert, describe, it } from "@effect/vitest"
import { lstatSync, mkdirSync, readdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import * as PrivateFile from "../src/PrivateFile.ts"
import { temporaryFolder } from "./support/TemporaryFolder.ts"

describe("a private file", () => {
  it("is replaced as a whole, for its owner only", async () => {
    const folder = join(temporaryFolder("private"), "new")
    const file = join(folder, "file")
    await PrivateFile.replace(file, "one")
    await PrivateFile.replace(file, "two")
    assert.strictEqual(readFileSync(file, "utf8"), "two")
    assert.strictEqual(statSync(file).mode & 0o777, 0o600)
    assert.deepStrictEqual(readdirSync(folder), ["file"])
  })

  it("takes the place of a link, and leaves its target alone", async () => {
    const folder = temporaryFolder("private")
    const file = join(folder, "file")
    writeFileSync(join(folder, "other"), "theirs")
    symlinkSync(join(folder, "other"), file)
    await PrivateFile.replace(file, "mine")
    assert.isTrue(lstatSync(file).isFile())
    assert.strictEqual(readFileSync(join(folder, "other"), "utf8"), "theirs")
  })

  it("leaves nothing beside it if it can't be replaced", async () => {
    const folder = temporaryFolder("private")
    mkdirSync(join(folder, "file", "full"), { recursive: true })
    let error: unknown
    await PrivateFile.replace(join(folder, "file"), "text").catch((reason: unknown) => (error = reason))
    assert.instanceOf(error, Error)
    assert.deepStrictEqual(readdirSync(folder), ["file"])
  })
})
