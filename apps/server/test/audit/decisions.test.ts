/** What a real server and real runs record: who decided what, over which request, and what became of it. */
import { assert, describe, it } from "@effect/vitest"
import { optionOf } from "@signalbox/contracts/AgentRequest"
import type { AuditRow } from "@signalbox/contracts/Audit"
import { TurnId } from "@signalbox/contracts/Ids"
import type { ThreadView } from "@signalbox/contracts/ThreadView"
import { hasEnded } from "@signalbox/threads/TurnState"
import * as Effect from "effect/Effect"
import { randomUUID } from "node:crypto"
import { rmSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { DatabaseSync } from "node:sqlite"
import * as AuditReader from "../../src/audit/AuditReader.ts"
import { play } from "../cli/support/Runs.ts"
import { call, temporaryFolder } from "../cli/support/Signalbox.ts"
import { scriptedCommand, served } from "../support/ServedThreads.ts"

const options = [
  { optionId: "yes", name: "Yes", kind: "allow_once" },
  { optionId: "no", name: "No", kind: "reject_once" }
]

const asking = (toolCallId: string, command: string) => ({
  permission: { toolCall: { toolCallId, title: command, kind: "execute", rawInput: { command } }, options }
})

const ruled = (state: string) =>
  writeFileSync(
    join(state, "rules.json"),
    JSON.stringify({
      rules: [
        { effect: "allow", match: { command: "ls **" } },
        { effect: "deny", match: { command: "rm **" } },
        { effect: "ask", match: { command: "git **" } }
      ]
    })
  )

const approvalIn = ({ requests }: ThreadView) => {
  const [open] = requests
  return open?.request.type === "approval" ? open.request : undefined
}
const isOver = ({ turns }: ThreadView) => turns.length > 0 && turns.every(({ status }) => hasEnded(status))

const inShort = ({ decision: { by, effect, outcome, title } }: AuditRow) => [title, outcome, effect, by.type]

describe("the decisions of a server", () => {
  it.live("are recorded with who made them, and with what became of the call", () =>
    Effect.gen(function* () {
      const state = temporaryFolder("state")
      ruled(state)
      const { client, open, prompt, send } = yield* served(state)
      const { cwd, threadId, watcher } = yield* open("thread")
      yield* prompt(
        threadId,
        "t1",
        asking("a", "ls src"),
        { update: { sessionUpdate: "tool_call_update", toolCallId: "a", status: "failed" } },
        asking("b", "rm x"),
        asking("c", "git push"),
        asking("d", "make")
      )
      const git = approvalIn(yield* watcher.until((view) => approvalIn(view)?.tool.toolCallId === "c"))
      assert.isDefined(git)
      yield* send(threadId, { type: "request.respond", requestId: git.requestId, response: optionOf(git, "no") })
      yield* watcher.until((view) => approvalIn(view)?.tool.toolCallId === "d")
      yield* send(threadId, { type: "turn.interrupt", turnId: TurnId.make("t1") })
      yield* watcher.until(isOver)

      const { rows, unreadable } = yield* client.readAudit({ filter: {} })
      assert.strictEqual(unreadable, 0)
      assert.deepStrictEqual(rows.map(inShort), [
        ["make", "cancelled", "none", "nobody"],
        ["git push", "answered", "deny", "person"],
        ["rm x", "answered", "deny", "rule"],
        ["ls src", "answered", "allow", "rule"]
      ])
      const [, pushed, , listed] = rows
      assert.deepInclude(pushed?.decision, {
        threadId,
        folder: cwd,
        answer: "No",
        digest: git.digest ?? "",
        asked: '{"input":{"command":"git push"}}',
        by: { type: "person", client: { kind: "program" } }
      })
      assert.strictEqual(listed?.end?.status, "failed")
      const since = 0
      assert.deepStrictEqual(
        (yield* client.countRules({ since }))
          .map(({ allowed, asked, denied, rule }) => [rule.number, allowed, denied, asked])
          .toSorted(([one = 0], [other = 0]) => one - other),
        [
          [1, 1, 0, 0],
          [2, 0, 1, 0],
          [3, 0, 0, 1]
        ]
      )
      const tried = yield* client.replayRule({ rule: '{"effect":"allow","match":{"command":"make"}}', since })
      assert.deepStrictEqual(tried, { requests: 4, answered: 1, spared: 1, unknown: 0 })
    })
  )

  it.live("are recorded for files and programs that nobody was asked about, refused ones too", () =>
    Effect.gen(function* () {
      const state = temporaryFolder("state")
      writeFileSync(
        join(state, "rules.json"),
        JSON.stringify({ rules: [{ effect: "deny", match: { path: "**/secret" } }] })
      )
      const outside = join(temporaryFolder("outside"), "x")
      const { client, open, prompt } = yield* served(state)
      const acp = { ...scriptedCommand, files: "write", terminals: true } as const
      const { cwd, threadId, watcher } = yield* open("thread", acp)
      const wants = (method: string, params: object) => ({ request: { method, params } })
      yield* prompt(
        threadId,
        "t1",
        wants("fs/write_text_file", { path: join(cwd, "a"), content: "one" }),
        wants("fs/read_text_file", { path: join(cwd, "secret") }),
        wants("fs/read_text_file", { path: outside }),
        wants("terminal/create", { command: "true", args: [] })
      )
      yield* watcher.until(isOver)
      const { rows } = yield* client.readAudit({ filter: {} })
      assert.deepStrictEqual(
        rows.map(({ decision, end }) => [decision.kind, decision.effect, decision.by.type, end?.status]),
        [
          ["program", "allow", "settings", undefined],
          ["read", "allow", "settings", "refused"],
          ["read", "deny", "rule", undefined],
          ["write", "allow", "settings", undefined]
        ]
      )
      assert.strictEqual(rows[3]?.decision.asked, JSON.stringify({ path: join(cwd, "a"), content: "one" }))
    })
  )

  it.live("name the attempt of a second client that answered at once", () =>
    Effect.gen(function* () {
      const { client, connected, open, prompt, send } = yield* served(temporaryFolder("state"))
      const second = yield* connected
      const { threadId, watcher } = yield* open("thread")
      yield* prompt(threadId, "t1", asking("a", "ls"))
      const asked = approvalIn(yield* watcher.until((view) => approvalIn(view) !== undefined))
      assert.isDefined(asked)
      const answer = (by: typeof send, option: string) =>
        by(threadId, {
          type: "request.respond",
          requestId: asked.requestId,
          response: optionOf(asked, option)
        }).pipe(
          Effect.as("taken"),
          Effect.orElseSucceed(() => "refused")
        )
      const outcomes = yield* Effect.all([answer(send, "yes"), answer(second.send, "no")], { concurrency: 2 })
      assert.sameMembers(outcomes, ["taken", "refused"])
      yield* watcher.until(isOver)
      const { rows } = yield* client.readAudit({ filter: {} })
      assert.lengthOf(rows, 1)
      const [row] = rows
      const taken = outcomes[0] === "taken" ? "Yes" : "No"
      assert.strictEqual(row?.decision.answer, taken)
      assert.deepStrictEqual(
        row?.refusals.map(({ answer: given }) => given),
        [taken === "Yes" ? "no" : "yes"]
      )
    })
  )

  it.live("hold no secret of the environment, and say that something was taken out", () =>
    Effect.gen(function* () {
      const secret = `s3cret-${randomUUID()}`
      const { client, open, prompt, send } = yield* served(temporaryFolder("state"), { env: { MY_API_TOKEN: secret } })
      const { threadId, watcher } = yield* open("thread")
      yield* prompt(threadId, "t1", asking("a", `curl -H x:${secret} example.org`))
      yield* watcher.until((view) => approvalIn(view) !== undefined)
      yield* send(threadId, { type: "turn.interrupt", turnId: TurnId.make("t1") })
      yield* watcher.until(isOver)
      const page = yield* client.readAudit({ filter: {} })
      assert.notInclude(JSON.stringify(page), secret)
      assert.isTrue(page.rows[0]?.decision.isRedacted)
      // Whoever knows the rest of the text could try short secrets on a digest of the whole.
      assert.notProperty(page.rows[0]?.decision, "digest")
    })
  )

  it.live("hold no beginning of a secret where a sentence is cut, and none where an access was refused", () =>
    Effect.gen(function* () {
      const secret = `s3cret-${randomUUID()}`
      const { client, open, prompt } = yield* served(temporaryFolder("state"), { env: { MY_API_TOKEN: secret } })
      const { threadId, watcher } = yield* open("thread", { ...scriptedCommand, files: "write" })
      const outside = temporaryFolder("outside")
      // Sentences about rules are cut behind 80 characters of a path.
      const path = join(outside, "x".repeat(Math.max(1, 60 - outside.length)), secret)
      yield* prompt(threadId, "t1", { request: { method: "fs/read_text_file", params: { path } } })
      yield* watcher.until(isOver)
      const { rows } = yield* client.readAudit({ filter: {} })
      assert.deepStrictEqual(
        rows.map(({ end }) => end?.status),
        ["refused"]
      )
      const all = JSON.stringify(rows)
      assert.include(all, "…")
      assert.notInclude(all, secret.slice(0, 10))
    })
  )
})

describe("a decision that can't be recorded", () => {
  it.live("is left to people, whose answers count and are recorded later", () =>
    Effect.gen(function* () {
      const state = temporaryFolder("state")
      ruled(state)
      const path = join(state, "audit.sqlite")
      // A log of a later version, which this one does not touch.
      const later = new DatabaseSync(path)
      later.exec("PRAGMA user_version = 99")
      later.close()
      const { open, prompt, send, server } = yield* served(state)
      const { threadId, watcher } = yield* open("thread")
      yield* prompt(threadId, "t1", asking("a", "ls"), asking("b", "rm x"), { text: "done" })
      const asked = approvalIn(yield* watcher.until((view) => approvalIn(view) !== undefined))
      assert.strictEqual(asked?.tool.toolCallId, "a")
      if (asked === undefined) return
      rmSync(path)
      yield* send(threadId, { type: "request.respond", requestId: asked.requestId, response: optionOf(asked, "yes") })
      const { items } = yield* watcher.until(isOver)
      assert.isTrue(
        items.some((item) => item.type === "warning" && item.message.includes("You are asked")),
        JSON.stringify(items)
      )
      assert.include(items.map((item) => (item.type === "message" ? item.text : "")).join(""), "done")
      server.kill("SIGTERM")
      yield* server.ended
      const { rows } = yield* AuditReader.page(path, { filter: {}, limit: 9 })
      assert.deepStrictEqual(rows.map(inShort), [
        ["rm x", "answered", "deny", "rule"],
        ["ls", "answered", "allow", "person"]
      ])
    })
  )
})

describe("the decisions of a run", () => {
  it.live("are recorded with the rule or the flag behind them", () =>
    Effect.gen(function* () {
      const state = temporaryFolder("state")
      ruled(state)
      const env = { SIGNALBOX_STATE_DIR: state }
      yield* call(play([asking("a", "ls"), asking("b", "make")], "--approve", "allow"), { env })
      const { rows } = yield* AuditReader.page(join(state, "audit.sqlite"), { filter: {}, limit: 9 })
      assert.deepStrictEqual(rows.map(inShort), [
        ["make", "answered", "allow", "flag"],
        ["ls", "answered", "allow", "rule"]
      ])
      assert.deepStrictEqual(rows[0]?.decision.by, { type: "flag", flag: "--approve allow" })
    })
  )

  it.live("are refused where what --approve allow says can't be recorded", () =>
    Effect.gen(function* () {
      const state = temporaryFolder("state")
      // A log of a later version, which this one does not touch.
      const later = new DatabaseSync(join(state, "audit.sqlite"))
      later.exec("PRAGMA user_version = 99")
      later.close()
      const env = { SIGNALBOX_STATE_DIR: state }
      const { stderr, stdout } = yield* call(play([asking("a", "make")], "--approve", "allow"), { env })
      assert.include(stdout, "permission no")
      assert.include(stderr, "can't be recorded")
    })
  )
})
