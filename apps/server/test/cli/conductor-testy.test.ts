/** Every method and every update passes two proxies as it passes none: Testy, directly and behind `signalbox conductor`. */
import * as Effect from "effect/Effect"
import * as CommandLine from "effect/process/CommandLine"
import { assert, describe, it } from "vitest"
import {
  standIn,
  type Heard,
  textOf,
  withAgent
} from "../../../../packages/stand-in-agents/test/support/WholeClient.ts"
import { call } from "./support/Signalbox.ts"
import * as AcpCaller from "./support/AcpCaller.ts"

/** Everything that Testy can do in a turn, by a client that offers everything. */
const whole = async (words: ReadonlyArray<string>): Promise<Heard> => {
  let all: Heard | undefined
  const code = await withAgent(words, async ({ heard, newSession, prompt }) => {
    const { sessionId } = await newSession("/")
    assert.deepStrictEqual(await prompt(sessionId, "full"), { stopReason: "end_turn" })
    all = heard
  })
  assert.strictEqual(code, 0)
  return all ?? assert.fail("Nothing was heard.")
}

/** The updates, without the arrows. */
const withoutArrows = ({ updates }: Heard) =>
  updates.map((update) => JSON.parse(JSON.stringify(update).replaceAll('"text":">>', '"text":"')))

describe("Testy behind two proxies", () => {
  it("asks for the same and says the same as without them, marked by both", async () => {
    const proxies = ["--proxy", AcpCaller.line("arrow"), "--proxy", AcpCaller.line("arrow")]
    const chain = [process.execPath, AcpCaller.program, "conductor", "agent", ...proxies, "--", ...standIn("testy")]
    const direct = await whole(standIn("testy"))
    const behind = await whole(chain)
    assert.deepStrictEqual(behind.asked, direct.asked)
    assert.sameMembers(
      [...new Set(direct.asked)],
      [
        "terminal/create",
        "terminal/release",
        "session/request_permission",
        "fs/write_text_file",
        "fs/read_text_file",
        "terminal/wait_for_exit",
        "terminal/output",
        "terminal/kill",
        "elicitation/create",
        "elicitation/complete"
      ]
    )
    assert.deepStrictEqual(withoutArrows(behind), withoutArrows(direct))
    assert.include(textOf(behind), ">>session_updates: sent")
  })

  it("is answered by Signalbox's own client, request by request", async () => {
    const chain = [process.execPath, AcpCaller.program, "conductor", "agent", "--proxy", AcpCaller.line("arrow")]
    const agent = CommandLine.display([...chain, "--proxy", AcpCaller.line("arrow"), "--", ...standIn("testy")])
    const { code, stderr, stdout } = await Effect.runPromise(
      call(["run", "--agent", agent, "--approve", "allow", "full"])
    )
    assert.strictEqual(code, 0, stderr)
    for (const line of [
      ">>words of the agent",
      ">>session_updates: sent",
      'session/request_permission: ok {"outcome":{"outcome":"selected","optionId":"allow"}}',
      'elicitation/create, form, session: ok {"action":"decline"}',
      'elicitation/create, url, request: ok {"action":"decline"}'
    ])
      assert.include(stdout, line)
    // Files and terminals are granted by settings only.
    for (const method of ["fs/write_text_file", "fs/read_text_file", "terminal/create"])
      assert.include(stdout, `${method}: error`)
  })
})
