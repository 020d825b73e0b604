/** Which file the command line runs. */
import { assert, beforeEach, afterEach, describe, it } from "vitest"
import { mkdirSync, mkdtempSync, rmSync, utimesSync, writeFileSync } from "node:fs"
import { createRequire } from "node:module"
import { tmpdir } from "node:os"
import { dirname, join, relative } from "node:path"

const { entryIn }: { readonly entryIn: (root: string) => string } = createRequire(import.meta.url)("../entry.cjs")

const [before, built, after] = [new Date(1_000_000), new Date(2_000_000), new Date(3_000_000)]
let root = ""

const put = (file: string, at: Date) => {
  const path = join(root, file)
  mkdirSync(dirname(path), { recursive: true })
  writeFileSync(path, "")
  utimesSync(path, at, at)
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
    put("apps/server/dist/bin.js", built)
    assert.strictEqual(entry(), "apps/server/dist/bin.js")
  })

  it.each(["apps/server/src/cli/Cli.ts", "packages/acp/src/AcpClient.ts", "package-lock.json"])(
    "runs the sources where %s has changed since",
    (file) => {
      put("apps/server/dist/bin.js", built)
      put(file, after)
      assert.strictEqual(entry(), "apps/server/src/bin.ts")
    }
  )

  it("runs the sources where a file was removed since", () => {
    put("apps/server/dist/bin.js", built)
    date("apps/server/src/cli", after)
    assert.strictEqual(entry(), "apps/server/src/bin.ts")
  })
})
