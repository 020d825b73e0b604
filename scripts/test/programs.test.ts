/** The programs that a test run builds: they are always those of the sources. */
import { afterEach, assert, beforeEach, describe, it } from "vitest"
import { execFileSync } from "node:child_process"
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, statSync, utimesSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { basename, join } from "node:path"
import { build } from "../suite/Programs.ts"

const program = "packages/greeter/src/main.ts"

let root = ""

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), "programs-"))
})

afterEach(() => rmSync(root, { recursive: true, force: true }))

/** A repository with one program, which writes what the other module of its package says. */
const repository = () => {
  mkdirSync(join(root, "packages/greeter/src"), { recursive: true })
  const say = (word: string) =>
    writeFileSync(join(root, "packages/greeter/src/word.ts"), `export const word: string = "${word}"\n`)
  writeFileSync(join(root, "package.json"), '{"type":"module"}')
  writeFileSync(join(root, program), 'import { word } from "./word.ts"\nconsole.log(word)\n')
  say("one")
  const all = join(root, ".tmp/programs")
  return { say, all, built: () => build(root, [program]) }
}

const saysOf = (folder: string) =>
  execFileSync(process.execPath, [join(folder, program.replace(".ts", ".js"))], { encoding: "utf8" }).trim()

describe("a program that a test run builds", () => {
  it("is built once for the same sources, and again for others", async () => {
    const { all, built, say } = repository()
    const first = await built()
    assert.strictEqual(saysOf(first), "one")
    const { ino } = statSync(first)
    assert.strictEqual(await built(), first)
    assert.strictEqual(statSync(first).ino, ino)
    say("two")
    const second = await built()
    assert.strictEqual(saysOf(second), "two")
    // A run that began before still has its own.
    assert.strictEqual(saysOf(first), "one")
    say("one")
    assert.strictEqual(await built(), first)
    assert.lengthOf(readdirSync(all), 2)
  })

  it("is the same where two runs build it at once", async () => {
    const { all, built } = repository()
    const [one, other] = await Promise.all([built(), built()])
    assert.strictEqual(one, other)
    assert.strictEqual(saysOf(one), "one")
    assert.lengthOf(readdirSync(all), 1)
  })

  it("goes after a day, and what an ended build left goes with it", async () => {
    const { all, built, say } = repository()
    const first = await built()
    mkdirSync(join(all, "0123.99"))
    const longAgo = new Date(Date.now() - 25 * 60 * 60 * 1000)
    const age = () => readdirSync(all).forEach((name) => utimesSync(join(all, name), longAgo, longAgo))
    age()
    assert.strictEqual(await built(), first)
    assert.deepStrictEqual(readdirSync(all), [basename(first)])
    say("two")
    await built()
    assert.isTrue(existsSync(first))
    age()
    await built()
    assert.isFalse(existsSync(first))
  })

  it("stops the run where it can't be built", async () => {
    const { all, built, say } = repository()
    say('" + ')
    const failed = await built().then(
      () => "built",
      (error: unknown) => String(error)
    )
    assert.include(failed, "word.ts")
    assert.isEmpty(readdirSync(all))
  })
})
