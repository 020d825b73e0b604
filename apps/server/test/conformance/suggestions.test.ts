/** Conformance reports about suggestions: of right agents, of each misbehaviour, and of agents without suggestions. */
import { assert, describe, it } from "@effect/vitest"
import type { Misbehaviour } from "@signalbox/stand-in-agents/nes/Misbehaviour"
import * as Effect from "effect/Effect"
import { existsSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import type { Limits } from "../../src/conformance/Limits.ts"
import { program as signalbox, words } from "../cli/support/AcpCaller.ts"
import { temporaryFolder } from "../cli/support/Signalbox.ts"
import { elizaMain, examine, type Program, seenOf } from "../support/Examined.ts"
import type { Setup } from "../support/PlainSuggester.ts"

const suggesterMain = fileURLToPath(new URL("../support/PlainSuggester.ts", import.meta.url))
const [node, referenceMain = ""] = words("nes")

const reference = (...args: ReadonlyArray<string>): Program => ({ command: node ?? "", args: [referenceMain, ...args] })
const plain = (setup: Setup): Program => ({
  command: process.execPath,
  args: [suggesterMain],
  env: { SUGGESTER: JSON.stringify(setup) }
})

interface Wishes {
  readonly model?: boolean
  readonly limits?: Partial<Limits>
  readonly only?: ReadonlyArray<string>
}

const look = (program: Program, { limits, model = true, only }: Wishes = {}) =>
  Effect.map(
    // None of these agents lists commands. All other limits are the usual ones, since a machine may be busy.
    examine(program, { limits: { commands: 0, ...limits }, model, only }),
    ({ results }) => ({
      seen: seenOf(results),
      of: (probe: string) => results.find((result) => result.probe === probe),
      suggestions: seenOf(results.filter(({ area }) => area === "suggestions"))
    })
  )

/** The findings about an agent that does all of it right. */
const right = {
  "suggestions/start": "holds, as claimed: works",
  "suggestions/wants":
    "holds: didOpen, didChange (incremental), didClose, didSave, didFocus, recentFiles (10), relatedSnippets, editHistory (6), userActions (16), openFiles, diagnostics",
  "suggestions/encoding": "holds: all offered: utf-16, utf-8 only: utf-8, none: utf-16",
  "suggestions/sessions": "holds: 3, beside a chat",
  "suggestions/unknown-ids": "holds: ignored",
  "suggestions/close": "holds: works, then refused, -32002",
  "suggestions/settings": "holds: scope, count",
  "suggestions/events": "holds: 5 kinds taken",
  "suggestions/answer": "holds: 1 edit",
  "suggestions/after-change": "holds: 1 edit",
  "suggestions/without-context": "holds: 1 edit",
  "suggestions/ends": "holds: 1 accepted, 0 rejected",
  "suggestions/kinds": "holds: edit",
  "suggestions/places": "holds: fit, in utf-16 and utf-8",
  "suggestions/ids": "holds: each its own",
  "suggestions/files": "holds: all in the workspace",
  "suggestions/size": "holds: up to 1 at once",
  "suggestions/patterns": "untried: it suggested no search",
  "suggestions/unknown-session": "holds: refused, -32002",
  "suggestions/unopened": "holds: suggests nothing",
  "suggestions/apart": "holds: goes on",
  "suggestions/closed": "holds: refused, -32002"
}

/** The probe that finds a misbehaviour of the reference agent, the finding, and more words that start the agent. */
type Found = readonly [probe: string, finding: string, args?: ReadonlyArray<string>, limits?: Partial<Limits>]

const misbehaviours: Readonly<Record<Misbehaviour, Found>> = {
  slow: ["answer", "quirk: 1 edit", ["--delay", "6000"]],
  never: ["cancel", "broken: no answer", [], { suggestion: "1 second" }],
  "stale-version": ["after-change", "broken: about the text before"],
  "overlapping-edits": ["places", "broken: 2 can't be applied"],
  "out-of-range": ["places", "broken: 2 can't be applied"],
  "inside-a-character": ["places", "broken: 2 can't be applied"],
  "inverted-range": ["places", "broken: 2 can't be applied"],
  "kinds-not-offered": ["kinds", "broken: jump, rename, searchAndReplace"],
  "unknown-kind": ["kinds", "broken: teleport"],
  // The protocol allows it, so the report only gives the number.
  ten: ["answer", "holds: 10 edits"],
  "ten-thousand": ["size", "quirk: up to 10000 at once"],
  "duplicate-ids": ["ids", "broken: 5 with the id of another"],
  dies: ["ends", "broken: ends"],
  "no-such-method": ["start", "broken, as claimed: refused, -32601"],
  "sign-in": ["start", "untried, as claimed: it needs a sign-in"],
  "slow-pattern": ["patterns", "quirk: can't be used"],
  "wrong-uri": ["files", "broken: 2 of 4 are no file"],
  "huge-text": ["size", "quirk: too large"]
}

const opens = { nes: { events: { document: { didOpen: {} } } } }
const edit = (more: object = {}) => ({ suggestions: [{ id: "{n}", kind: "edit", uri: "{uri}", edits: [], ...more }] })
const search = (more: object) => ({
  suggestions: [{ id: "{n}", kind: "searchAndReplace", uri: "{uri}", search: "a", replace: "b", ...more }]
})
const top = { start: { line: 0, character: 0 }, end: { line: 0, character: 0 } }
const setting = { id: "a", name: "A", type: "select", currentValue: "a", options: [{ value: "a", name: "A" }] }

/** Agents that do one thing wrong, and what the probe finds. */
const wrongs: ReadonlyArray<readonly [probe: string, Setup, finding: string]> = [
  ["start", { start: { sessionId: 7 } }, "broken, as claimed: no id"],
  ["start", { errors: { "nes/start": -32603 } }, "broken, as claimed: refused, -32603"],
  ["start", { errors: { "nes/start": -32000 } }, "broken, as claimed: it needs a sign-in"],
  ["start", { fatal: ["nes/start"] }, "broken, as claimed: the agent ended"],
  ["wants", { claims: { nes: "yes" } }, "broken: can't be read"],
  ["wants", { claims: { nes: { events: { document: { didChange: { syncKind: "half" } } } } } }, "quirk: nothing"],
  [
    "wants",
    { claims: { nes: { events: { document: { didChange: { syncKind: "incremental" } } } } } },
    "quirk: didChange (incremental)"
  ],
  [
    "encoding",
    { claims: { positionEncoding: "utf-32" } },
    "broken: all offered: utf-32, utf-8 only: utf-32, none: utf-32"
  ],
  ["settings", { start: { configOptions: [setting, setting] } }, "broken: a, a"],
  ["sessions", { isOneSession: true }, "broken: the same id"],
  ["sessions", { closesAll: true }, "broken: refused, -32602"],
  ["events", { claims: opens, isTalkative: true }, "quirk: refused, -32600"],
  ["events", { claims: opens, fatal: ["document/didOpen"] }, "broken: ends"],
  ["unknown-ids", { isTalkative: true }, "quirk: refused, -32600"],
  ["unknown-ids", { fatal: ["nes/accept"] }, "broken: ends"],
  ["close", { errors: { "nes/close": -32601 } }, "broken: refused, -32601"],
  ["answer", { errors: { "nes/suggest": -32601 } }, "broken: refused, -32601"],
  ["answer", { answer: {} }, "broken: no list"],
  ["answer", { answer: edit({ edits: "none" }) }, "quirk: 1 edit"],
  ["answer", { fatal: ["nes/suggest"] }, "broken: ends"],
  ["answer", { errors: { "nes/suggest": -32603 } }, "untried: it takes no texts, and none is on the disk"],
  ["answer", { claims: opens, errors: { "nes/suggest": -32603 } }, "broken: refused, -32603"],
  ["after-change", { most: 1 }, "broken: refused, -32603"],
  ["without-context", { most: 2 }, "broken: refused, -32603"],
  ["cancel", { most: 3 }, "quirk: refused, -32603"],
  ["cancel", { fatal: ["$/cancel_request"] }, "broken: ends"],
  ["places", { answer: edit({ edits: [{ range: top, newText: "" }] }) }, "quirk: some change nothing"],
  ["ids", { answer: edit({ id: "again" }) }, "quirk: come again"],
  [
    "files",
    { answer: edit({ uri: "file:///elsewhere/a.ts", edits: [{ range: top, newText: "a" }] }) },
    "quirk: 1 of 1 elsewhere"
  ],
  [
    "files",
    { answer: edit({ uri: "{uri}.none", edits: [{ range: top, newText: "a" }] }) },
    "quirk: one that is missing"
  ],
  ["size", { answer: edit() }, "quirk: some are empty"],
  ["patterns", { answer: search({ search: "(", isRegex: true }) }, "broken: no pattern"],
  ["patterns", { answer: search({ search: "cents" }) }, "holds: 3 tried"],
  ["unknown-session", { answer: edit(), isCareless: true }, "quirk: suggests 1"],
  ["unknown-session", { fatal: ["nes/suggest"] }, "broken: ends"],
  ["unopened", { claims: opens, answer: edit() }, "quirk: suggests 1"],
  ["apart", { closesAll: true }, "broken: refused, -32602"],
  ["closed", { answer: edit(), isCareless: true }, "quirk: suggests 1"]
]

const methodsIn = (log: string): ReadonlyArray<string> =>
  existsSync(log) ? readFileSync(log, "utf8").trimEnd().split("\n") : []

describe.concurrent("an agent for suggestions that is looked over", { timeout: 240_000 }, () => {
  it.live("is the reference agent, which does all of it right", () =>
    Effect.gen(function* () {
      const { suggestions } = yield* look(reference())
      const { "suggestions/cancel": cancel, ...others } = suggestions
      assert.deepStrictEqual(others, right)
      // Its answer may be on its way when it is cancelled.
      assert.match(cancel ?? "", /^holds: (?:answered|refused, -32800)$/)
    })
  )

  it.live("is the bridge to Copilot", () =>
    Effect.gen(function* () {
      const server = words("copilot").join(" ")
      const bridge = { command: process.execPath, args: [signalbox, "nes", "copilot", "--server", server] }
      const { suggestions } = yield* look(bridge)
      const { "suggestions/cancel": cancel, ...others } = suggestions
      assert.deepStrictEqual(others, {
        ...right,
        "suggestions/wants": "holds: didOpen, didChange (incremental), didClose, didFocus",
        "suggestions/encoding": "holds: all offered: utf-16, utf-8 only: utf-16, none: utf-16",
        "suggestions/settings": "holds: none",
        "suggestions/sessions": "holds: 3",
        "suggestions/events": "holds: 4 kinds taken",
        "suggestions/answer": "holds: 3 edits",
        "suggestions/ends": "holds: 1 accepted, 2 rejected",
        "suggestions/places": "holds: fit, in utf-16",
        "suggestions/size": "holds: up to 3 at once",
        "suggestions/unopened": "holds: refused, -32603"
      })
      assert.match(cancel ?? "", /^holds: (?:answered|refused, -32800)$/)
    })
  )

  for (const [name, [probe, finding, args = [], limits]] of Object.entries(misbehaviours))
    it.live(`misbehaves: ${name} is found by suggestions/${probe}`, () =>
      Effect.gen(function* () {
        const only = [`suggestions/${probe}`]
        const { seen } = yield* look(reference("--misbehave", name, ...args), { only, ...(limits && { limits }) })
        assert.deepStrictEqual(seen, { [`suggestions/${probe}`]: finding })
      })
    )

  it.live("does one thing wrong, which its probe finds", () =>
    Effect.forEach(
      wrongs,
      ([probe, setup, finding]) =>
        Effect.map(look(plain(setup), { only: [`suggestions/${probe}`] }), ({ seen }) =>
          assert.strictEqual(seen[`suggestions/${probe}`], finding, JSON.stringify(setup))
        ),
      { concurrency: 3, discard: true }
    )
  )

  it.live("claims nes and does not know its methods: the report says so, and what was not reached", () =>
    Effect.gen(function* () {
      const { of, suggestions } = yield* look(reference("--misbehave", "no-such-method"))
      assert.strictEqual(
        of("suggestions/start")?.quirk,
        "It offers suggestions (nes), and does not know nes/start. Nobody gets any from it."
      )
      const rest = Object.entries(suggestions).filter(([probe]) => !/\/(?:start|wants|encoding)$/.test(probe))
      assert.deepStrictEqual([...new Set(rest.map(([, seen]) => seen))], ["untried: it starts none"])
    })
  )

  it.live("answers nothing: it is not asked again and again", () =>
    Effect.gen(function* () {
      const never = reference("--misbehave", "never")
      const { of, suggestions } = yield* look(never, { limits: { suggestion: "1 second" } })
      assert.match(of("suggestions/answer")?.quirk ?? "", /^Nothing came for [\d.]+ seconds?, although it answered/)
      for (const probe of ["unknown-session", "unopened", "apart", "closed"])
        assert.strictEqual(suggestions[`suggestions/${probe}`], "untried: it answers no question")
    })
  )
})

describe.concurrent("an examination", { timeout: 180_000 }, () => {
  it.live("asks for no suggestion without a model, and for nine with one", () =>
    Effect.gen(function* () {
      const folder = temporaryFolder("suggester")
      const asked = Effect.fnUntraced(function* (model: boolean) {
        const log = join(folder, String(model))
        const { suggestions } = yield* look(plain({ log, claims: opens }), { model })
        return { suggestions, questions: methodsIn(log).filter((method) => method === "nes/suggest").length }
      })
      const without = yield* asked(false)
      assert.strictEqual(without.questions, 0)
      assert.deepStrictEqual(without.suggestions, {
        "suggestions/start": "holds, as claimed: works",
        "suggestions/wants": "holds: didOpen",
        "suggestions/encoding": "holds: all offered: utf-16, utf-8 only: utf-16, none: utf-16",
        "suggestions/settings": "holds: none",
        "suggestions/sessions": "holds: 3, beside a chat",
        "suggestions/events": "holds: 1 kind taken",
        "suggestions/unknown-ids": "holds: ignored",
        "suggestions/close": "holds: works, then refused, -32602"
      })
      assert.strictEqual((yield* asked(true)).questions, 9)
    })
  )

  it.live("has one row for an agent without suggestions, and asks it nothing for that", () =>
    Effect.gen(function* () {
      const log = join(temporaryFolder("chat"), "log")
      const [eliza, other] = yield* Effect.all(
        [
          look({ command: process.execPath, args: [elizaMain] }, { model: false }),
          look(plain({ log, claims: { nes: null } }))
        ],
        { concurrency: 2 }
      )
      for (const { suggestions } of [eliza, other])
        assert.deepStrictEqual(suggestions, { "suggestions/start": "holds, not claimed: not offered" })
      assert.deepStrictEqual(
        methodsIn(log).filter((method) => /^(?:nes|document)\//.test(method)),
        []
      )
    })
  )
})
