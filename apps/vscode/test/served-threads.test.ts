import { assert, describe, it } from "@effect/vitest"
import { ThreadId } from "@signalbox/contracts/Ids"
import { mostThreads, servedOf } from "../src/services/ServedThreads.ts"

const id = (name: string | number) => ThreadId.make(`thread-${name}`)
const row = (name: string | number, cwd = "/home/ada/ledger", status?: "completed" | "working") => ({
  threadId: id(name),
  cwd,
  ...(status !== undefined && { status })
})
const trusted = { folders: ["/home/ada/ledger"], isTrusted: true }

const namesOf = (rows: ReadonlyArray<{ readonly threadId: ThreadId }>) => rows.map(({ threadId }) => threadId)

describe("the threads that a window serves", () => {
  it("are those that it has shown, in its folders and below", () => {
    const rows = [row("a"), row("b", "/home/ada/ledger/src"), row("c", "/home/ada/ledger2"), row("d")]
    const shown = ["a", "b", "c", "gone"].map(id)
    assert.deepStrictEqual(namesOf(servedOf(shown, rows, trusted)), [id("b"), id("a")])
  })

  it("are none in a window that is not trusted", () => {
    assert.deepStrictEqual(servedOf([id("a")], [row("a")], { ...trusted, isTrusted: false }), [])
  })

  it("are the last ones, and those that work", () => {
    const places = Array.from({ length: mostThreads + 2 }, (_, place) => place)
    const rows = places.map((place) => row(place, undefined, place === 0 ? "working" : "completed"))
    const served = namesOf(servedOf(places.map(id), rows, trusted))
    assert.lengthOf(served, mostThreads + 1)
    assert.include(served, id(0))
    assert.notInclude(served, id(1))
  })
})
