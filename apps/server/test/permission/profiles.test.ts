/** Profiles that allow edits or everything, in the settings or for one session: over real processes, files and links. */
import { assert, describe, it } from "@effect/vitest"
import { optionOf, type RequestOutcome } from "@signalbox/contracts/AgentRequest"
import type { PermissionProfile } from "@signalbox/contracts/Provider"
import type { Rule } from "@signalbox/contracts/Rule"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Stream from "effect/Stream"
import * as SubscriptionRef from "effect/SubscriptionRef"
import { link, mkdir, symlink, writeFile } from "node:fs/promises"
import { join } from "node:path"
import { SettingsProfiles } from "../../src/provider/Services/SettingsProfiles.ts"
import * as RulesInForce from "../../src/rules/RulesInForce.ts"
import { type Harness, temporaryFolder, thread } from "../support/AgentHarness.ts"
import { play, scripted } from "../support/ScriptedAgent.ts"

const options = [
  { optionId: "always", name: "Always", kind: "allow_always" },
  { optionId: "yes", name: "Yes", kind: "allow_once" },
  { optionId: "no", name: "No", kind: "reject_once" }
]

/** A session in a repository with a link that leads out of it. `profile`: what the settings say of its agent. */
const started = Effect.fnUntraced(function* (profile: PermissionProfile, ...rules: ReadonlyArray<Rule>) {
  const state = yield* temporaryFolder
  const elsewhere = yield* temporaryFolder
  yield* Effect.promise(() => writeFile(join(state, "rules.json"), JSON.stringify({ rules })))
  const settings = yield* SubscriptionRef.make(profile)
  const agent = yield* scripted().pipe(
    Effect.provideService(SettingsProfiles, {
      of: () => SubscriptionRef.get(settings),
      changes: Stream.map(SubscriptionRef.changes(settings), () => undefined)
    }),
    Effect.provide(RulesInForce.layer({ stateFolder: state }))
  )
  yield* Effect.promise(async () => {
    await mkdir(join(agent.folder, ".git/hooks"), { recursive: true })
    await writeFile(join(agent.folder, "a.ts"), "a")
    await symlink(elsewhere, join(agent.folder, "linked"))
    await writeFile(join(elsewhere, "other.ts"), "a")
    await link(join(elsewhere, "other.ts"), join(agent.folder, "twin.ts"))
    await mkdir(join(agent.folder, "dotfiles"))
    await symlink("dotfiles", join(agent.folder, ".vscode"))
  })
  const { acp } = agent.input().providerOptions
  const start = agent.start({ providerOptions: { acp: { ...acp, permissions: profile } } })
  yield* start
  return { agent, settings, start }
})

interface Asked {
  readonly kind: string
  readonly rawInput: object
}

const edit = (path: string): Asked => ({ kind: "edit", rawInput: { path, content: "new" } })
const run = (command: string): Asked => ({ kind: "execute", rawInput: { command } })

let turns = 0

const asking = (agent: Harness, asked: Asked) =>
  Effect.forkChild(
    play(agent, `t${++turns}`, { permission: { toolCall: { toolCallId: `c${turns}`, title: "T", ...asked }, options } })
  )

/** Who answered, and what; a person who answers comes too late if nobody else was asked. */
const answerTo = Effect.fnUntraced(function* (agent: Harness, asked: Asked) {
  const turn = yield* asking(agent, asked)
  const toolCallId = `c${turns}`
  const { request } = yield* agent.next("approval.requested", (event) => event.request.tool.toolCallId === toolCallId)
  yield* Effect.ignore(agent.adapter.respondToRequest(thread, request.requestId, optionOf(request, "always")))
  yield* Fiber.join(turn)
  const { outcome } = yield* agent.next("approval.resolved", (event) => event.requestId === request.requestId)
  return words(outcome)
})

const words = (outcome: RequestOutcome): string => {
  if (outcome.type !== "answered" || outcome.response.type !== "option") return outcome.type
  const { by = "people", profile, response, until } = outcome
  return [by, profile, until, response.optionId].filter((word) => word !== undefined).join(" ")
}

const people = "people always"

describe("The profile that allows edits", () => {
  const ways: ReadonlyArray<readonly [name: string, asked: (folder: string) => Asked, answer: string]> = [
    ["a file of the project", () => edit("a.ts"), "settings edits yes"],
    ["a new file in a new folder", (folder) => edit(`${folder}/new/b.ts`), "settings edits yes"],
    [
      "several edits of one file",
      () => ({
        kind: "edit",
        rawInput: { file_path: "a.ts", edits: [{ old_string: "a", new_string: "/etc/passwd", replace_all: true }] }
      }),
      "settings edits yes"
    ],
    [
      "an edit with a member that is not known",
      () => ({ kind: "edit", rawInput: { path: "a.ts", into: "b" } }),
      people
    ],
    ["a file behind a link that leads out", () => edit("linked/b.ts"), people],
    ["a file elsewhere", () => edit("../b.ts"), people],
    ["a file with another name elsewhere", () => edit("twin.ts"), people],
    ["a guarded name that is a link within the project", () => edit(".vscode/tasks.json"), people],
    ["what Git runs", () => edit(".git/hooks/pre-commit"), "rules no"],
    ["what decides what agents may run", () => edit(".signalbox/rules.json"), people],
    ["a command", () => run("touch a.ts"), people],
    ["a deletion", () => ({ kind: "delete", rawInput: { path: "a.ts" } }), people],
    ["reading", () => ({ kind: "read", rawInput: { path: "a.ts" } }), "settings edits yes"]
  ]
  for (const [name, asked, answer] of ways)
    it.live(`answers for ${name}: ${answer}`, () =>
      Effect.gen(function* () {
        const { agent } = yield* started("edits")
        assert.strictEqual(yield* answerTo(agent, asked(agent.folder)), answer)
      })
    )
})

describe("A bypass", () => {
  it.live("allows what can't be seen through; rules that deny or ask, and built-in ones, still count", () =>
    Effect.gen(function* () {
      const { agent } = yield* started(
        "bypass",
        { effect: "deny", match: { command: "git push **" } },
        { effect: "ask", match: { command: "npm publish" } }
      )
      assert.strictEqual(yield* answerTo(agent, run("sudo sh -c 'rm -rf x'")), "settings bypass yes")
      assert.strictEqual(yield* answerTo(agent, edit("linked/b.ts")), "settings bypass yes")
      assert.strictEqual(yield* answerTo(agent, run("git push --force")), "rules no")
      assert.strictEqual(yield* answerTo(agent, run("eval x; npm publish")), people)
      for (const padding of ["true;".repeat(300), `: ${"a".repeat(9_000)};`])
        assert.strictEqual(yield* answerTo(agent, run(`${padding} git push --force`)), people)
      assert.strictEqual(yield* answerTo(agent, edit(".git/hooks/pre-commit")), "rules no")
    })
  )

  it.live("does not allow what a rule asks about and what has a member that is not known, too", () =>
    Effect.gen(function* () {
      const { agent } = yield* started(
        "bypass",
        { effect: "ask", match: { server: "tickets" } },
        { effect: "ask", match: { host: "*.example.org" } }
      )
      const call = { server: "tickets", tool: "delete", args: {} }
      assert.strictEqual(yield* answerTo(agent, { kind: "other", rawInput: call }), people)
      assert.strictEqual(yield* answerTo(agent, { kind: "other", rawInput: { ...call, odd: 1 } }), people)
      const fetch = { url: "https://a.example.org/", odd: 1 }
      assert.strictEqual(yield* answerTo(agent, { kind: "fetch", rawInput: fetch }), people)
    })
  )

  it.live("for one session answers what waits, and ends with that session", () =>
    Effect.gen(function* () {
      const { agent, start } = yield* started("ask")
      const turn = yield* asking(agent, run("make"))
      const { request } = yield* agent.next("approval.requested")
      yield* agent.adapter.setProfile(thread, "bypass")
      yield* Fiber.join(turn)
      const { outcome } = yield* agent.next("approval.resolved", (event) => event.requestId === request.requestId)
      assert.strictEqual(words(outcome), "settings bypass session yes")
      assert.strictEqual(yield* answerTo(agent, run("make")), "settings bypass session yes")

      yield* agent.adapter.setProfile(thread, undefined)
      assert.strictEqual(yield* answerTo(agent, run("make")), people)

      yield* agent.adapter.setProfile(thread, "bypass")
      yield* agent.adapter.stopSession(thread)
      yield* start
      assert.strictEqual(yield* answerTo(agent, run("make")), people)
    })
  )

  it.live("in the settings answers what waits, and ends when the settings say so", () =>
    Effect.gen(function* () {
      const { agent, settings } = yield* started("ask")
      const turn = yield* asking(agent, run("make"))
      const { request } = yield* agent.next("approval.requested")
      yield* SubscriptionRef.set(settings, "bypass")
      yield* Fiber.join(turn)
      const { outcome } = yield* agent.next("approval.resolved", (event) => event.requestId === request.requestId)
      assert.strictEqual(words(outcome), "settings bypass yes")
      yield* SubscriptionRef.set(settings, "ask")
      assert.strictEqual(yield* answerTo(agent, run("make")), people)
    })
  )

  it.live("can be narrowed for one session", () =>
    Effect.gen(function* () {
      const { agent } = yield* started("bypass")
      yield* agent.adapter.setProfile(thread, "ask")
      assert.strictEqual(yield* answerTo(agent, run("make")), people)
    })
  )
})
