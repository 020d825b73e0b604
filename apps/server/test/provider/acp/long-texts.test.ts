/** What an agent sends in pieces and is held until it is whole has a bound of its own. It says what is left out. */
import { assert, describe, it } from "@effect/vitest"
import * as CompactionProjection from "../../../src/provider/acp/projection/CompactionProjection.ts"
import * as History from "../../../src/provider/acp/projection/History.ts"
import * as TextBeginning from "../../../src/provider/acp/projection/TextBeginning.ts"
import * as RepeatedPrompt from "../../../src/provider/acp/projection/RepeatedPrompt.ts"
import { projection } from "../../support/ProjectionHarness.ts"

const started = (prompt = "Do it.") => {
  const session = projection()
  session.begin("t1", prompt)
  return session
}
const content = (text: string) => ({ type: "text", text })
const k64 = "x".repeat(65_536)

describe("a summary of a compaction", () => {
  it("is kept to its bound, and says how much is left out", () => {
    const session = started()
    for (let index = 0; index < 100; index += 1)
      session.feed({ sessionUpdate: "compaction_summary_chunk", compactionId: "c", content: content(k64) })
    session.feed({ sessionUpdate: "compaction_update", compactionId: "c", status: "completed", error: k64 + k64 })
    const last = session.of("compaction.updated").at(-1)
    const { longest } = CompactionProjection
    assert.strictEqual(last?.summary, `${"x".repeat(longest)}\n[… 6,488,064 more characters are left out]`)
    assert.strictEqual(last?.error, `${"x".repeat(longest)}\n[… 65,536 more characters are left out]`)
  })

  it("that comes whole is bounded, too", () => {
    const session = started()
    const summary = [content(k64), content("more")]
    session.feed({ sessionUpdate: "compaction_update", compactionId: "c", status: "completed", summary })
    assert.strictEqual(session.of("compaction.updated")[0]?.summary, `${k64}\n[… 4 more characters are left out]`)
  })
})

describe("the echo of a prompt", () => {
  const echo = (session: ReturnType<typeof started>, piece: string, times: number) => {
    for (let index = 0; index < times; index += 1)
      session.feed({ sessionUpdate: "user_message_chunk", content: content(piece) })
    session.end()
    return session.of("prompt.replayed")
  }

  it("that does not end is kept to its bound, and says how much is left out", () => {
    const [told, ...others] = echo(started(), k64, 200)
    assert.isEmpty(others)
    const most = RepeatedPrompt.longest + 2 * "Do it.".length
    assert.strictEqual(told?.text.length, most + "\n[… 12,058,612 more characters are left out]".length)
    assert.isTrue(told?.text.endsWith("\n[… 12,058,612 more characters are left out]"))
  })

  it("of a prompt that is longer than that bound is still known as its echo", () => {
    assert.isEmpty(echo(started(k64.repeat(40)), k64, 40))
  })

  it("is bounded in a history that is loaded, too", () => {
    const session = projection()
    session.step(() => History.begin(session.state, []))
    for (let index = 0; index < 40; index += 1)
      session.feed({ sessionUpdate: "user_message_chunk", content: content(k64) })
    session.feed({ sessionUpdate: "agent_message_chunk", content: content("Done.") })
    assert.isAtMost(session.of("prompt.replayed")[0]?.text.length ?? Infinity, RepeatedPrompt.longest + 100)
  })
})

describe("a message between sessions", () => {
  it("is kept to its bound; of an answer the end is known all the same", () => {
    const session = started()
    const announce = (state: object) => session.feed({ sessionUpdate: "subagent_update", sessionId: "child", state })
    announce({ state: "running" })
    const between = (senderSessionId: string, recipientSessionId: string, messageId: string) => {
      session.feed({ sessionUpdate: "session_message", messageId, senderSessionId, recipientSessionId, content: [] })
      for (let index = 0; index < 20; index += 1)
        session.feed({ sessionUpdate: "session_message_chunk", messageId, content: content("x".repeat(20_000)) })
      session.feed({ sessionUpdate: "session_message_chunk", messageId, content: content("the end") })
    }
    between("s", "child", "task")
    between("child", "s", "answer")
    announce({ state: "idle", stopReason: "end_turn" })
    const last = session.of("subagent.updated").at(-1)
    assert.strictEqual(last?.task?.length, 280_000)
    assert.isTrue(last?.said?.endsWith("xthe end"))
  })
})

describe("the beginning of a text", () => {
  it("does not end between the two halves of a character", () => {
    const cut = TextBeginning.add(TextBeginning.none, "ab😀", 3)
    assert.deepStrictEqual(cut, { text: "ab", left: 2 })
    // Text behind a gap is left out, too.
    assert.deepStrictEqual(TextBeginning.add(cut, "c", 3), { text: "ab", left: 3 })
  })
})
