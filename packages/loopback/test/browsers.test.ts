/** The entries of browsers in their file: they expire, are bounded in number, and are known by nobody where the file is not ours. */
import { assert, describe, it } from "@effect/vitest"
import { mkdirSync, readFileSync, rmSync, symlinkSync } from "node:fs"
import { dirname, join } from "node:path"
import * as Browsers from "../src/Browsers.ts"
import { temporaryFolder } from "../../system/test/support/TemporaryFolder.ts"

const browsersFile = () => join(temporaryFolder("browsers"), "browsers.json")
const content = (file: string) => JSON.parse(readFileSync(file, "utf8"))
const unexpected = (message: string): never => assert.fail(message)

const day = 24 * 60 * 60 * 1000

describe("the entries of browsers", () => {
  it("expire 30 days after the browser was last here, not after it came in", () => {
    const browsers = Browsers.open(browsersFile(), unexpected)
    const cookie = browsers.admit(0)
    for (let days = 20; days <= 100; days += 20) assert.isDefined(browsers.entryOf(cookie, days * day))
    assert.isDefined(browsers.entryOf(cookie, 130 * day - 1))
    const other = browsers.admit(0)
    assert.isUndefined(browsers.entryOf(other, 30 * day))
  })

  it("expire for who is connected too, unless they stay so", () => {
    const file = browsersFile()
    const cookie = Browsers.open(file, unexpected).admit(0)
    const browsers = Browsers.open(file, unexpected)
    const digest = browsers.entryOf(cookie, day)
    assert.isDefined(digest)
    if (digest === undefined) return
    assert.isTrue(browsers.isIn(digest, 29 * day))
    assert.isTrue(Browsers.open(file, unexpected).isIn(digest, 58 * day), "that it was here is kept")
    assert.isFalse(browsers.isIn(digest, 89 * day))
  })

  it("are so many at most: who was here longest ago has to come in again", () => {
    const file = browsersFile()
    const browsers = Browsers.open(file, unexpected)
    const cookies = Array.from({ length: 258 }, (_, n) => browsers.admit(n))
    assert.lengthOf(content(file).browsers, 256)
    const known = cookies.map((cookie) => browsers.entryOf(cookie, 300) !== undefined)
    assert.deepStrictEqual(known.slice(0, 3), [false, false, true])
    assert.isTrue(known.slice(2).every(Boolean))
    assert.isTrue(
      Browsers.open(file, unexpected).entryOf(cookies.at(-1), 300) !== undefined,
      "the file is not too large"
    )
  })

  it("are known by nobody, and reported, if the file is a link or can't be written; the browser is in all the same", () => {
    const file = browsersFile()
    const elsewhere = browsersFile()
    const cookie = Browsers.open(elsewhere, unexpected).admit(0)
    symlinkSync(elsewhere, file)
    const told: Array<string> = []
    assert.isUndefined(Browsers.open(file, (message) => told.push(message)).entryOf(cookie, 1))
    assert.match(told[0] ?? "", /can't be read/)
    const nowhere = Browsers.open(`${dirname(file)}/missing/browsers.json`, (message) => told.push(message))
    assert.isDefined(nowhere.entryOf(nowhere.admit(0), 1))
    assert.match(told[1] ?? "", /can't be written/)
  })

  it("are known by nobody, and reported, if the folder can't be looked into any more", () => {
    const folder = join(dirname(browsersFile()), "state")
    mkdirSync(folder)
    const told: Array<string> = []
    const browsers = Browsers.open(join(folder, "browsers.json"), (message) => told.push(message))
    const cookie = browsers.admit(0)
    rmSync(folder, { recursive: true })
    symlinkSync(folder, folder)
    assert.isUndefined(browsers.entryOf(cookie, 1))
    assert.isUndefined(browsers.entryOf(cookie, 2))
    assert.lengthOf(told, 1)
    assert.match(told[0] ?? "", /can't be read/)
  })
})
