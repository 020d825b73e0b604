import { afterAll, assert, describe, it } from "@effect/vitest"
import { RpcError } from "@signalbox/acp/JsonRpc"
import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { placeOf } from "../src/services/ThreadFolders.ts"

const homes: Array<string> = []
afterAll(() => homes.forEach((home) => rmSync(home, { recursive: true })))

const make = () => {
  const home = realpathSync(mkdtempSync(join(tmpdir(), "signalbox-folders-")))
  homes.push(home)
  const [inside, outside] = [join(home, "in"), join(home, "out")]
  for (const folder of [inside, outside]) mkdirSync(folder)
  symlinkSync(outside, join(inside, "away"))
  symlinkSync(join(outside, "nothing"), join(inside, "dangling"))
  symlinkSync(inside, join(home, "alias"))
  return { home, inside, outside }
}

const refusal = async (folders: ReadonlyArray<string>, path: string): Promise<string> => {
  try {
    return `taken: ${await placeOf(folders, path)}`
  } catch (error) {
    return error instanceof RpcError ? error.message : String(error)
  }
}

describe("the folders in which an agent is served", () => {
  it("take what is inside, new files in new folders too, and follow their own links", async () => {
    const { home, inside } = make()
    assert.strictEqual(await placeOf([inside], inside), inside)
    assert.strictEqual(await placeOf([inside], join(inside, "new", "a.txt")), join(inside, "new", "a.txt"))
    assert.strictEqual(await placeOf([join(home, "alias")], join(home, "alias", "a")), join(inside, "a"))
  })

  it("refuse what is outside, by its name or by a link", async () => {
    const { home, inside, outside } = make()
    for (const path of [join(outside, "a"), join(inside, "..", "out", "a"), join(inside, "away", "a"), `${home}/in2`])
      assert.strictEqual(await refusal([inside], path), `${path} is in no folder of this window of VS Code.`)
    const dangling = join(inside, "dangling")
    assert.strictEqual(await refusal([inside], dangling), `${dangling} is a link to what does not exist.`)
    assert.strictEqual(await refusal([inside], "a.txt"), "a.txt is no absolute path.")
    assert.match(await refusal([join(home, "gone")], join(inside, "a")), /is in no folder/)
  })
})
