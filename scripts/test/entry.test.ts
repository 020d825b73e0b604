/** Which file the command line runs. */
import { assert, beforeEach, afterEach, describe, it } from "vitest"
import { lutimesSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, utimesSync, writeFileSync } from "node:fs"
import { createRequire } from "node:module"
import { tmpdir } from "node:os"
import { dirname, join, relative } from "node:path"

interface Entry {
  readonly entryIn: (root: string) => string
  readonly confirm: (root: string, at: Date) => void
}

const { confirm, entryIn }: Entry = createRequire(import.meta.url)("../entry.cjs")

const [before, built, after] = [new Date(1_000_000), new Date(2_000_000), new Date(3_000_000)]
let root = ""

const put = (file: string, at: Date) => {
  const path = join(root, file)
  mkdirSync(dirname(path), { recursive: true })
  writeFileSync(path, "")
  utimesSync(path, at, at)
}

const build = () => {
  for (const file of ["bin.js", "complete"]) put(`apps/server/dist/${file}`, built)
}

/** Gives a folder its time, after what is in it was written. */
const date = (folder: string, at: Date) => utimesSync(join(root, folder), at, at)

const entry = () => relative(root, entryIn(root))

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), "signalbox-entry-"))
  for (const file of ["apps/server/src/bin.ts", "apps/server/src/cli/Cli.ts", "packages/acp/src/AcpClient.ts"])
    put(file, before)
  for (const folder of ["apps/server/src/cli", "apps/server/src", "packages/acp/src"]) date(folder, before)
  put("package-lock.json", before)
})

afterEach(() => rmSync(root, { recursive: true, force: true }))

describe("the command line", () => {
  it("runs the sources where nothing is built", () => {
    assert.strictEqual(entry(), "apps/server/src/bin.ts")
  })

  it("runs the bundle where nothing that it is made of is newer", () => {
    build()
    assert.strictEqual(entry(), "apps/server/dist/bin.js")
  })

  it("runs the sources where the bundle was not written to its end, or something else has its name", () => {
    put("apps/server/dist/bin.js", built)
    assert.strictEqual(entry(), "apps/server/src/bin.ts")
    build()
    rmSync(join(root, "apps/server/dist/bin.js"))
    mkdirSync(join(root, "apps/server/dist/bin.js"))
    assert.strictEqual(entry(), "apps/server/src/bin.ts")
    rmSync(join(root, "apps/server/dist"), { recursive: true })
    put("apps/server/dist", built)
    assert.strictEqual(entry(), "apps/server/src/bin.ts")
  })

  it("minds no file among the packages, and no link that leads round", () => {
    build()
    put("packages/.DS_Store", before)
    symlinkSync(".", join(root, "packages/acp/src/again"))
    symlinkSync("self", join(root, "packages/acp/src/self"))
    for (const name of ["again", "self"]) lutimesSync(join(root, "packages/acp/src", name), before, before)
    date("packages/acp/src", before)
    assert.strictEqual(entry(), "apps/server/dist/bin.js")
  })

  it.each(["apps/server/src/cli/Cli.ts", "packages/acp/src/AcpClient.ts", "package-lock.json"])(
    "runs the sources where %s has changed since",
    (file) => {
      build()
      put(file, after)
      assert.strictEqual(entry(), "apps/server/src/bin.ts")
    }
  )

  it("runs the sources where a file was removed since", () => {
    build()
    date("apps/server/src/cli", after)
    assert.strictEqual(entry(), "apps/server/src/bin.ts")
  })

  it("runs the bundle again where a build has found the content of newer sources unchanged", () => {
    build()
    put("apps/server/src/cli/Cli.ts", after)
    confirm(root, after)
    assert.strictEqual(entry(), "apps/server/dist/bin.js")
  })

  it("runs the sources where one has changed since that build began", () => {
    build()
    put("apps/server/src/cli/Cli.ts", after)
    confirm(root, new Date(after.getTime() - 1000))
    assert.strictEqual(entry(), "apps/server/src/bin.ts")
  })
})
