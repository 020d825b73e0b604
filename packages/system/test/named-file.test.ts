import { assert, describe, it } from "@effect/vitest"
import { execFileSync } from "node:child_process"
import { constants, writeFileSync } from "node:fs"
import { open, writeFile } from "node:fs/promises"
import { join } from "node:path"
import * as NamedFile from "../src/NamedFile.ts"
import { temporaryFolder } from "./support/TemporaryFolder.ts"

const pipe = (): string => {
  const path = join(temporaryFolder("named"), "pipe")
  execFileSync("mkfifo", [path])
  return path
}

const most = 1024 * 1024

const failed = (path: string, options: NamedFile.Options) =>
  NamedFile.read(path, options).then(
    () => "read",
    (error: unknown) => (error instanceof Error ? error.message : "")
  )

describe("a file that a person names", () => {
  it("is read up to a bound, and a piece more", async () => {
    const path = join(temporaryFolder("named"), "file")
    writeFileSync(path, "x".repeat(3 * 64 * 1024))
    assert.lengthOf(await NamedFile.read(path, { most }), 3 * 64 * 1024)
    assert.lengthOf(await NamedFile.read(path, { most: 64 * 1024 }), 2 * 64 * 1024)
    assert.isAbove((await NamedFile.read("/dev/zero", { most: 10 })).length, 10)
  })

  it("may be a pipe, whose writer comes later, and writes in pieces", async () => {
    const path = pipe()
    const read = NamedFile.read(path, { most })
    const writer = await open(path, "w")
    await writer.write("one ")
    await writer.write("x".repeat(100_000))
    await writer.close()
    assert.lengthOf(await read, 100_004)
  })

  it("may be a pipe whose writer has written and gone", async () => {
    const path = pipe()
    // Keeps what is written in the pipe, after its writer has gone.
    const reader = await open(path, constants.O_RDONLY | constants.O_NONBLOCK)
    await writeFile(path, "one")
    assert.strictEqual((await NamedFile.read(path, { most })).toString(), "one")
    await reader.close()
  })

  it("is refused with words where it is a pipe to which nobody writes, and where its kind is not wanted", async () => {
    assert.strictEqual(await failed(pipe(), { most, patience: 0 }), "it is a pipe to which nobody writes")
    const check = (): void => {
      throw new Error("not this")
    }
    assert.strictEqual(await failed("/dev/null", { most, check }), "not this")
    assert.include(await failed(join(temporaryFolder("named"), "missing"), { most }), "ENOENT")
  })
})
