import * as acp from "@agentclientprotocol/sdk"
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, assert, describe, it } from "vitest"
import { piecesOf, standIn, type Visit, withAgent } from "./support/WholeClient.ts"

const folder = mkdtempSync(join(tmpdir(), "quote-"))
afterAll(() => rmSync(folder, { recursive: true }))

/** Runs one process of the agent. */
const visit = async (use: (visit: Visit) => Promise<void>) =>
  assert.strictEqual(await withAgent(standIn("quote", folder), use), 0)

/** What the agent says to one more prompt, piece by piece. */
const quoteFor = async ({ heard, prompt }: Visit, sessionId: string): Promise<ReadonlyArray<string>> => {
  const before = piecesOf(heard).length
  await prompt(sessionId, "More")
  return piecesOf(heard).slice(before)
}

describe("The quote agent", () => {
  it("serves each session its own quotes, word by word, and goes on in another process", async () => {
    let first = ""
    await visit(async (visit) => {
      first = (await visit.newSession(folder)).sessionId
      const second = (await visit.newSession(folder)).sessionId
      const words = await quoteFor(visit, first)
      assert.deepStrictEqual(words.slice(0, 3), ["Sing, ", "O ", "goddess, "])
      assert.match((await quoteFor(visit, first)).join(""), /^Tell me, O Muse/)
      assert.deepStrictEqual(await quoteFor(visit, second), words)
    })
    await visit(async (visit) => {
      await visit.agent.request(acp.methods.agent.session.resume, { sessionId: first, cwd: folder, mcpServers: [] })
      assert.match((await quoteFor(visit, first)).join(""), /^Now when the child of morning/)
    })
  })
})
