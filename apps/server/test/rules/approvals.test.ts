/** What rules answer when an agent asks for permission: over a real process, real rules files, and real links. */
import { assert, describe, it } from "@effect/vitest"
import { optionOf } from "@signalbox/contracts/AgentRequest"
import type { Rule } from "@signalbox/contracts/Rule"
import type { PermissionProfile } from "@signalbox/contracts/Provider"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import { mkdirSync, realpathSync, rmSync, symlinkSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import * as RulesFiles from "../../src/rules/RulesFiles.ts"
import * as RulesInForce from "../../src/rules/RulesInForce.ts"
import * as TrustedProjects from "../../src/rules/TrustedProjects.ts"
import { type Harness, temporaryFolder, thread } from "../support/AgentHarness.ts"
import { play, scripted } from "../support/ScriptedAgent.ts"

const options = [
  { optionId: "always", name: "Always", kind: "allow_always" },
  { optionId: "yes", name: "Yes", kind: "allow_once" },
  { optionId: "never", name: "Never", kind: "reject_always" },
  { optionId: "no", name: "No", kind: "reject_once" }
]

const textOf = (...rules: ReadonlyArray<Rule>) => JSON.stringify({ rules })

/** A session over a folder, with rules of the person. */
const started = Effect.fnUntraced(function* (rules: string, permissions: PermissionProfile = "ask") {
  const stateFolder = yield* temporaryFolder
  const file = join(stateFolder, "rules.json")
  writeFileSync(file, rules, { mode: 0o600 })
  const agent = yield* scripted().pipe(Effect.provide(RulesInForce.layer({ stateFolder })))
  const folder = realpathSync(agent.folder)
  mkdirSync(join(folder, "src"))
  mkdirSync(join(folder, ".git/hooks"), { recursive: true })
  for (const name of ["src/a.ts", "src/b.ts", "secret"]) writeFileSync(join(folder, name), name)
  const { acp } = agent.input().providerOptions
  yield* agent.start({ providerOptions: { acp: { ...acp, permissions } } })
  return { agent, file, folder, stateFolder }
})

let calls = 0

const asking = (agent: Harness, toolCall: object, among = options) => {
  calls += 1
  const permission = { toolCall: { toolCallId: `c${calls}`, title: "T", ...toolCall }, options: among }
  return Effect.forkChild(play(agent, `t${calls}`, { permission }))
}

/** What is answered, and who did; "asks" where a person has to. */
const answerTo = Effect.fnUntraced(function* (agent: Harness, toolCall: object, among = options) {
  const turn = yield* asking(agent, toolCall, among)
  const toolCallId = `c${calls}`
  const { request } = yield* agent.next("approval.requested", (event) => event.request.tool.toolCallId === toolCallId)
  // Rules answer first, so that a person comes too late.
  yield* Effect.result(agent.adapter.respondToRequest(thread, request.requestId, optionOf(request, "never")))
  yield* Fiber.join(turn)
  const { outcome } = yield* agent.next("approval.resolved", (event) => event.requestId === request.requestId)
  if (outcome.type !== "answered" || outcome.response.type !== "option") return "not answered"
  return outcome.by === undefined ? "asks" : `${outcome.by}: ${outcome.response.optionId}`
})

const run = (command: string) => ({ kind: "execute", rawInput: { command } })
const read = (path: string) => ({ kind: "read", rawInput: { path } })

const allowLs: Rule = { effect: "allow", match: { command: "ls **" } }
const denyRm: Rule = { effect: "deny", match: { command: "rm **" } }

describe("rules answer what an agent asks", () => {
  it.live("by allowing, by denying, and by asking", () =>
    Effect.gen(function* () {
      const { agent } = yield* started(textOf(allowLs, denyRm, { effect: "ask", match: { command: "ls -la" } }))
      assert.strictEqual(yield* answerTo(agent, run("ls src")), "rules: yes")
      assert.strictEqual(yield* answerTo(agent, run("ls && rm -r src")), "rules: no")
      assert.strictEqual(yield* answerTo(agent, run("ls -la")), "asks")
      assert.strictEqual(yield* answerTo(agent, run("cat src/a.ts")), "asks")
      assert.strictEqual(yield* answerTo(agent, run("cd .. && ls")), "asks")
    })
  )

  it.live("and take no option that holds for good", () =>
    Effect.gen(function* () {
      const { agent } = yield* started(textOf(allowLs, denyRm))
      const forGood = options.filter(({ kind }) => kind.endsWith("always"))
      assert.strictEqual(yield* answerTo(agent, run("ls"), forGood), "asks")
      assert.strictEqual(yield* answerTo(agent, run("rm a"), forGood), "asks")
    })
  )

  it.live("before the profile of the agent, which answers where no rule does", () =>
    Effect.gen(function* () {
      const { agent } = yield* started(
        textOf({ effect: "ask", match: { path: "src/b.ts" } }, { effect: "deny", match: { path: "**/secret" } }),
        "allow-reads"
      )
      assert.strictEqual(yield* answerTo(agent, read("src/a.ts")), "settings: yes")
      assert.strictEqual(yield* answerTo(agent, read("src/b.ts")), "asks")
      assert.strictEqual(yield* answerTo(agent, read("secret")), "rules: no")
    })
  )

  it.live("as their file is now, and as it was before a fault", () =>
    Effect.gen(function* () {
      const { agent, file } = yield* started(textOf(allowLs))
      assert.strictEqual(yield* answerTo(agent, run("ls")), "rules: yes")
      writeFileSync(file, textOf({ effect: "deny", match: { command: "ls" } }))
      assert.strictEqual(yield* answerTo(agent, run("ls")), "rules: no")
      writeFileSync(file, "{")
      assert.strictEqual(yield* answerTo(agent, run("ls")), "rules: no")
      rmSync(file)
      assert.strictEqual(yield* answerTo(agent, run("ls")), "asks")
    })
  )

  it.live("by where a link leads at that moment", () =>
    Effect.gen(function* () {
      const { agent, folder } = yield* started(
        textOf(
          { effect: "allow", match: { kind: "read", path: "src/**" } },
          { effect: "deny", match: { path: "secret" } }
        )
      )
      symlinkSync("a.ts", join(folder, "src/link"))
      assert.strictEqual(yield* answerTo(agent, read("src/link")), "rules: yes")
      rmSync(join(folder, "src/link"))
      symlinkSync("../secret", join(folder, "src/link"))
      assert.strictEqual(yield* answerTo(agent, read("src/link")), "rules: no")
      rmSync(join(folder, "src/link"))
      symlinkSync("/etc/passwd", join(folder, "src/link"))
      assert.strictEqual(yield* answerTo(agent, read("src/link")), "asks")
    })
  )

  it.live("of the project only once it is trusted, and then more strictly alone", () =>
    Effect.gen(function* () {
      const { agent, folder, stateFolder } = yield* started(textOf(allowLs))
      mkdirSync(join(folder, ".signalbox"))
      const file = join(folder, ".signalbox/rules.json")
      writeFileSync(
        file,
        textOf({ effect: "allow", match: { command: "cat **" } }, { effect: "deny", match: { command: "ls src" } })
      )
      assert.strictEqual(yield* answerTo(agent, run("ls src")), "rules: yes")
      const trust = Effect.fnUntraced(function* () {
        const found = yield* RulesFiles.find({ stateFolder, cwd: folder })
        const hash = found.find(({ path }) => path === file)?.bytes?.hash
        yield* TrustedProjects.trust(stateFolder, file, hash ?? "")
      })
      yield* trust()
      assert.strictEqual(yield* answerTo(agent, run("ls src")), "rules: no")
      assert.strictEqual(yield* answerTo(agent, run("ls")), "rules: yes")
      assert.strictEqual(yield* answerTo(agent, run("cat src/a.ts")), "asks")
      writeFileSync(file, textOf({ effect: "deny", match: { command: "ls" } }))
      assert.strictEqual(yield* answerTo(agent, run("ls")), "rules: yes")
    })
  )

  it.live("and can't allow what is built in", () =>
    Effect.gen(function* () {
      const { agent } = yield* started(textOf({ effect: "allow", match: {} }))
      assert.strictEqual(yield* answerTo(agent, run("echo x > .git/hooks/pre-commit")), "rules: no")
      assert.strictEqual(yield* answerTo(agent, run("cat ~/.ssh/id")), "rules: no")
      assert.strictEqual(yield* answerTo(agent, run("echo x")), "rules: yes")
    })
  )

  it.live("of one agent alone, where they name it", () =>
    Effect.gen(function* () {
      const { agent } = yield* started(textOf({ effect: "allow", match: { command: "ls", agent: "somebody-else" } }))
      assert.strictEqual(yield* answerTo(agent, run("ls")), "asks")
    })
  )
})
