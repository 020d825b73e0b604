/** Traces: ours in the reference's viewer, and the reference's in ours. */
import { assert, describe, it, onTestFinished } from "vitest"
import { execFileSync, spawn } from "node:child_process"
import { readFileSync } from "node:fs"
import { join } from "node:path"
import { createInterface } from "node:readline"
import { temporaryFolder } from "../../../packages/system/test/support/TemporaryFolder.ts"
import * as Caller from "./Caller.ts"
import * as Chains from "./Chains.ts"
import { isMissing, reference } from "./Reference.ts"

const linesOf = (file: string): ReadonlyArray<unknown> =>
  readFileSync(file, "utf8")
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line))

/** What the viewer gives its page for a file. */
const eventsInViewer = async (file: string): Promise<ReadonlyArray<unknown>> => {
  const viewer = spawn(reference("viewer"), ["--no-open", file], { stdio: ["ignore", "ignore", "pipe"] })
  const ended = new Promise((resolve) => viewer.on("close", resolve))
  onTestFinished(async () => {
    viewer.kill("SIGKILL")
    await ended
  })
  for await (const line of createInterface({ input: viewer.stderr })) {
    const address = /http:\/\/127\.0\.0\.1:\d+/.exec(line)?.[0]
    if (address !== undefined) return JSON.parse(await (await fetch(`${address}/events`)).text())
  }
  throw new Error("The viewer has ended without an address.")
}

describe.skipIf(isMissing("viewer"))("Their trace viewer", () => {
  it("shows each message of our trace", async () => {
    const file = join(temporaryFolder("trace"), "ours.jsons")
    const words = Chains.signalbox("conductor", "agent", "--component", "pass", "--trace", file, "--")
    await Chains.turn([...words, ...Chains.standIn("eliza")], "Hello")
    const events = await eventsInViewer(file)
    assert.deepStrictEqual(events, linesOf(file))
    assert.deepStrictEqual(
      events
        .filter((event) => Caller.member(event, "method") === "session/prompt")
        .map((event) => Caller.member(event, "to")),
      ["Proxy(0)", "Agent"]
    )
  })
})

describe.skipIf(isMissing("conductor"))("signalbox conductor view", () => {
  it("shows each message of their trace", async () => {
    const file = join(temporaryFolder("trace"), "theirs.jsons")
    const [program = "", ...chain] = Chains.theirs(Chains.standIn("arrow"), Chains.standIn("eliza"))
    await Chains.turn([program, "--trace", file, ...chain], "Hello there")
    const [node = "", ...view] = Chains.signalbox("conductor", "view", file)
    const shown = execFileSync(node, view, { encoding: "utf8" })
    assert.strictEqual(shown.trimEnd().split("\n").length, linesOf(file).length, shown)
    for (const line of [
      /^ *[\d.]+ {2}Client → Proxy\(0\) +session\/prompt {2}"Hello there"$/m,
      /^ *[\d.]+ {2}Agent → Proxy\(0\) +session\/update {2}agent message chunk "/m,
      /^ *[\d.]+ {2}Proxy\(0\) → Client +session\/prompt: answered after .*, end_turn$/m
    ])
      assert.match(shown, line)
    assert.notInclude(shown, "left out")
  })
})
