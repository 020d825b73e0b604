/** Keys at a real terminal: what is typed before a question can be read answers nothing. */
import { assert, describe, it } from "@effect/vitest"
import * as Data from "effect/Data"
import * as Effect from "effect/Effect"
import { writeFileSync } from "node:fs"
import { join } from "node:path"
import { row, serve } from "./support/KeptThreads.ts"
import { play } from "./support/Runs.ts"
import { hasTerminals, start, temporaryFolder } from "./support/Signalbox.ts"

const ask = {
  permission: {
    toolCall: { toolCallId: "t1", title: "Remove it", kind: "execute", rawInput: { command: "rm -rf work" } },
    options: [
      { optionId: "yes", name: "Go ahead\u001b]52;c;cm0gLXJm\u0007", kind: "allow_once" },
      { optionId: "no", name: "Better not", kind: "reject_once" }
    ]
  }
}
const address = {
  request: {
    method: "elicitation/create",
    params: { mode: "url", message: "Sign in", url: "https://example.com/", elicitationId: "e1" }
  }
}
const form = {
  request: {
    method: "elicitation/create",
    params: { mode: "form", message: "Fill it in", requestedSchema: { properties: { name: { type: "string" } } } }
  }
}

/** The machine was too slow for the test: the key came when the question was open already. */
class CameLate extends Data.TaggedError("CameLate") {}

describe.skipIf(!hasTerminals)("a key at the terminal", () => {
  it.live("that was pressed before the request was printed answers nothing", () =>
    Effect.gen(function* () {
      const run = yield* start(play([ask, ask]), { terminal: true })
      yield* run.says(/Better not[\s\S]*Number: /)
      // The second line waits in the terminal when the second request comes.
      run.stdin.write("2\n1\n")
      yield* run.says(/permission no[\s\S]*Better not[\s\S]*Number: /)
      run.stdin.write("2\n")
      const { code, stdout } = yield* run.ended
      assert.strictEqual(code, 0, stdout)
      assert.notInclude(stdout, "permission yes")
      assert.strictEqual(stdout.match(/permission no/g)?.length, 2)
    })
  )

  it.live("that was pressed before, without Enter, is not completed by an Enter that comes after", () =>
    Effect.gen(function* () {
      const run = yield* start(play([ask, ask]), { terminal: true })
      yield* run.says(/Better not[\s\S]*Number: /)
      run.stdin.write("2\n1")
      yield* run.says(/permission no[\s\S]*Better not[\s\S]*Number: /)
      run.stdin.write("\n")
      yield* run.says(/permission no[\s\S]*A number from 1 to 2\.[\s\S]*Number: /)
      run.stdin.write("2\n")
      const { stdout } = yield* run.ended
      assert.notInclude(stdout, "permission yes")
    })
  )

  it.live("that was meant for what a request was before it changed answers nothing", () =>
    Effect.gen(function* () {
      const update = { sessionUpdate: "tool_call_update", toolCallId: "t1", rawInput: { command: "rm -rf everything" } }
      const steps = [{ together: [[ask], [{ waitForFile: "changes" }, { update }]] }]
      const cwd = temporaryFolder("cwd")
      const run = yield* start(play(steps), { terminal: true, cwd })
      yield* run.says(/rm -rf work[\s\S]*Number: /)
      run.stdin.write("1")
      // The terminal shows the key: it came before the change.
      yield* run.says(/Number: 1/)
      writeFileSync(join(cwd, "changes"), "")
      yield* run.says(/The request changed: the input\. Read it again\.[\s\S]*rm -rf everything[\s\S]*Number: /)
      run.stdin.write("\n")
      yield* run.says(/rm -rf everything[\s\S]*A number from 1 to 2\.[\s\S]*Number: /)
      run.stdin.write("2\n")
      const { stdout } = yield* run.ended
      assert.notInclude(stdout, "permission yes")
      assert.match(stdout, /sent to the agent: Better not/)
      assert.include(stdout, "permission no")
    })
  )

  const cases = [
    ["an approval", ask, /2 {2}Better not\r?\n/, "permission no"],
    ["an address", address, /2 {2}Decline\r?\n/, '"action":"decline"'],
    ["a form", form, /2 {2}Decline\r?\n/, '"action":"decline"']
  ] as const
  it.live.each(cases)("that is pressed as soon as %s is printed answers nothing", ([, step, printed, refused]) =>
    Effect.gen(function* () {
      const run = yield* start(play([step]), { terminal: true })
      yield* run.says(printed)
      run.stdin.write("1\n")
      yield* run.says(/Number: /)
      run.stdin.write("2\n")
      const { stdout } = yield* run.ended
      // Only what is typed when the question is open is echoed behind its prompt.
      if (/Number: 1/.test(stdout)) return yield* new CameLate()
      assert.include(stdout, refused)
      assert.match(stdout, /sent to the agent: (?:Better not|Decline)/)
    }).pipe(Effect.scoped, Effect.retry({ times: 20 }))
  )

  it.live("answers when the question asks for it, and the choice is shown by the agent's own name", () =>
    Effect.gen(function* () {
      const run = yield* start(play([ask]), { terminal: true })
      yield* run.says(/1 {2}Go ahead␛]52;c;cm0gLXJm␇\r?\n[\s\S]*Number: /)
      run.stdin.write("1\n")
      const { stdout } = yield* run.ended
      assert.include(stdout, "permission yes")
      assert.include(stdout, "sent to the agent: Go ahead␛]52;c;cm0gLXJm␇")
      assert.notInclude(stdout, "\u001b]")
    })
  )

  it.live("is Ctrl-C also while keys do not count", () =>
    Effect.gen(function* () {
      const run = yield* start(play([ask]), { terminal: true })
      yield* run.says(/2 {2}Better not\r?\n/)
      run.stdin.write("\u0003")
      const { stdout } = yield* run.ended
      assert.include(stdout, "stopping …")
      assert.include(stdout, "permission cancelled")
    })
  )

  it.live("confirms no deletion before the question was printed", () =>
    Effect.gen(function* () {
      const { removed, state } = yield* serve([row("aaaaaaaa-1", 3)])
      const asking = yield* start(["threads", "delete", "aaaaaaaa-1", "--state-dir", state], { terminal: true })
      // The terminal keeps it, from before anything is printed.
      asking.stdin.write("y\n")
      yield* asking.says(/This can't be undone\. \[y\/N\] /)
      asking.stdin.write("n\n")
      assert.strictEqual((yield* asking.ended).code, 3)
      assert.deepStrictEqual(removed, [])
    }).pipe(Effect.scoped)
  )
})
