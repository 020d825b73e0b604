/** `signalbox audit` and `signalbox rules replay`, over a log that was changed by hand, too. */
import { assert, describe, it } from "@effect/vitest"
import { RequestId } from "@signalbox/contracts/Ids"
import * as Effect from "effect/Effect"
import { execFileSync } from "node:child_process"
import { existsSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs"
import { createServer } from "node:net"
import { join } from "node:path"
import { DatabaseSync } from "node:sqlite"
import * as AuditFile from "../../src/audit/AuditFile.ts"
import { decision, rule } from "../audit/support/Drafts.ts"
import { assertReadable, play } from "./support/Runs.ts"
import { call, start, temporaryFolder } from "./support/Signalbox.ts"

const setUp = () => {
  const state = temporaryFolder("state")
  const path = join(state, "audit.sqlite")
  const file = AuditFile.open(path, () => 0)
  const append = (...titles: ReadonlyArray<string>) =>
    file.append(
      titles.map((title) => decision({ title, requestId: RequestId.make(title), by: { type: "rule", rule } })),
      false
    )
  append("one", "two", "three", "four")
  const signalbox = (...args: ReadonlyArray<string>) =>
    Effect.tap(call(args, { env: { SIGNALBOX_STATE_DIR: state } }), (ended) => Effect.sync(() => assertReadable(ended)))
  /** Changes the log as somebody does who knows SQLite. */
  const tamper = (sql: string) => {
    const database = new DatabaseSync(path)
    database.exec(`
      DROP TRIGGER entries_stay; DROP TRIGGER entries_never_change; DROP TRIGGER entries_are_never_replaced; ${sql}`)
    database.close()
  }
  return { state, path, append, signalbox, tamper, close: () => file.close() }
}

const tampered: ReadonlyArray<readonly [name: string, sql: string, says: RegExp]> = [
  [
    "a changed word",
    `UPDATE entries SET entry = replace(entry, 'two', 'too') WHERE sequence = 2`,
    /^Entry 2: It was changed/m
  ],
  ["a deleted entry", `DELETE FROM entries WHERE sequence = 2`, /^Entry 3: Entry 2 is missing before it/m],
  [
    "two entries that change places",
    `UPDATE entries SET sequence = 9 WHERE sequence = 2; UPDATE entries SET sequence = 2 WHERE sequence = 3; UPDATE entries SET sequence = 3 WHERE sequence = 9`,
    /^Entry 2: It was moved: it was written as entry 3/m
  ],
  [
    "a forged entry at the end",
    `INSERT INTO entries (sequence, hash, entry) VALUES (5, 'x', '{"type":"decision","sequence":5}')`,
    /^Entry 5: It was changed/m
  ],
  ["an entry that is no text", `UPDATE entries SET entry = x'00ff' WHERE sequence = 4`, /^Entry 4: It was changed/m]
]

describe("signalbox audit verify", () => {
  it.live("proves a log, prints its head, and holds it against a hash that was kept", () =>
    Effect.gen(function* () {
      const { append, close, signalbox, tamper } = setUp()
      const before = yield* signalbox("audit", "verify")
      assert.deepStrictEqual([before.code, before.stderr], [0, ""])
      assert.match(before.stdout, /^4 entries of .*: each is as it was written\.$/m)
      const head = /^Head: ([0-9a-f]{64})$/m.exec(before.stdout)?.[1] ?? ""
      append("five")
      const after = yield* signalbox("audit", "verify", "--head", head)
      assert.strictEqual(after.code, 0)
      assert.match(after.stdout, /is that of entry 4\. 1 entry came after it/)
      tamper("DELETE FROM entries WHERE sequence >= 4")
      assert.strictEqual((yield* signalbox("audit", "verify")).code, 0)
      const cut = yield* signalbox("audit", "verify", "--head", head)
      assert.strictEqual(cut.code, 1)
      assert.match(cut.stdout, /is not there: the log was cut/)
      assert.strictEqual((yield* signalbox("audit", "verify", "--head", "x")).code, 2)
      close()
    })
  )

  it.live("names the first entry that was changed by hand, also after new ones were written", () =>
    Effect.gen(function* () {
      for (const [name, sql, says] of tampered) {
        const { append, close, signalbox, tamper } = setUp()
        tamper(sql)
        append("later")
        const { code, stdout } = yield* signalbox("audit", "verify")
        assert.strictEqual(code, 1, name)
        assert.match(stdout, says, name)
        close()
      }
    })
  )

  it.live("proves an exported file, and finds what was changed in it", () =>
    Effect.gen(function* () {
      const { close, signalbox, state } = setUp()
      const file = join(state, "log.jsonl")
      assert.strictEqual((yield* signalbox("audit", "export", "-o", file)).code, 0)
      assert.strictEqual(statSync(file).mode & 0o777, 0o600)
      const text = readFileSync(file, "utf8")
      assert.strictEqual((yield* signalbox("audit", "export")).stdout, text)
      assert.strictEqual((yield* signalbox("audit", "verify", file)).code, 0)
      const lines = text.trimEnd().split("\n")
      const [one = "", two = "", three = ""] = lines
      for (const [changed, says] of [
        [[one, two.replace("two", "too"), three], /^Entry 2: It was changed/m],
        [[one, three], /^Entry 3: Entry 2 is missing/m],
        [[one, three, two], /^Entry 3: Entry 2 is missing/m],
        [[one, two.slice(0, -20)], /^Entry 2: Line 2 is not as signalbox audit export writes/m]
      ] as const) {
        writeFileSync(file, `${changed.join("\n")}\n`)
        const { code, stdout } = yield* signalbox("audit", "verify", file)
        assert.strictEqual(code, 1)
        assert.match(stdout, says)
      }
      close()
    })
  )

  it.live("names a file that can't be read, such as a folder, a socket, a pipe or a device", () =>
    Effect.gen(function* () {
      const { close, signalbox, state } = setUp()
      const socket = join(state, "socket")
      const server = createServer()
      yield* Effect.promise(() => new Promise<void>((resolve) => server.listen(socket, resolve)))
      const pipe = join(state, "pipe")
      execFileSync("mkfifo", [pipe])
      for (const path of [state, socket, pipe, "/dev/zero"]) {
        const { code, stderr } = yield* signalbox("audit", "verify", path)
        assert.strictEqual(code, 2)
        assert.include(stderr, path)
      }
      server.close()
      close()
    })
  )

  it.live("reports a log that was damaged beyond reading, while runs go on in a new one", () =>
    Effect.gen(function* () {
      const { close, path, signalbox, state } = setUp()
      close()
      writeFileSync(path, "no database".repeat(500))
      const broken = yield* signalbox("audit", "verify")
      assert.strictEqual(broken.code, 1)
      assert.match(broken.stdout, /can't be read: file is not a database/)
      writeFileSync(join(state, "rules.json"), '{"rules":[{"effect":"allow","match":{"command":"ls **"}}]}')
      const options = [{ optionId: "yes", name: "Yes", kind: "allow_once" }]
      const toolCall = { toolCallId: "a", title: "List", kind: "execute", rawInput: { command: "ls" } }
      yield* signalbox(...play([{ permission: { toolCall, options } }]))
      assert.match((yield* signalbox("audit", "list")).stdout, /allowed +rule 1 \([0-9a-f]{16}\) .*ls$/m)
      const { code, stdout } = yield* signalbox("audit", "verify")
      assert.strictEqual(code, 1)
      assert.match(stdout, /^Entry 1: A new log begins here\. The log before it could not be used/m)
    })
  )
})

describe("signalbox audit export", () => {
  it.live("leaves no file behind where it fails, since a part would be proved as a whole log", () =>
    Effect.gen(function* () {
      const state = temporaryFolder("state")
      writeFileSync(join(state, "audit.sqlite"), "no database".repeat(100))
      const file = join(state, "export.jsonl")
      const { code, stderr } = yield* call(["audit", "export", "-o", file], { env: { SIGNALBOX_STATE_DIR: state } })
      assert.strictEqual(code, 1, stderr)
      assert.isFalse(existsSync(file))
    })
  )
})

describe("signalbox backup", () => {
  it.live("copies the audit log beside the threads, and brings it back only where there is none", () =>
    Effect.gen(function* () {
      const { append, close, path, signalbox, state } = setUp()
      const server = yield* start(["--port", "0", "--state-dir", state])
      yield* server.says(/#token=/)
      const file = join(temporaryFolder("backups"), "monday")
      const copied = yield* signalbox("backup", file)
      assert.strictEqual(copied.code, 0, copied.stderr)
      assert.include(copied.stderr, `Copied the audit log to ${file}-audit.`)
      assert.strictEqual(statSync(`${file}-audit`).mode & 0o777, 0o600)
      const proved = yield* signalbox("audit", "verify", `${file}-audit`)
      assert.match(proved.stdout, /^4 entries of /)
      assert.strictEqual((yield* signalbox("backup", file)).code, 1)
      append("since")
      server.kill("SIGTERM")
      yield* server.ended
      assert.include((yield* signalbox("restore", file)).stderr, "The audit log stays as it is")
      assert.match((yield* signalbox("audit", "verify")).stdout, /^5 entries of /)
      close()
      for (const part of ["", "-wal", "-shm"]) rmSync(`${path}${part}`, { force: true })
      assert.include((yield* signalbox("restore", file)).stderr, "The audit log was brought back, too.")
      assert.match((yield* signalbox("audit", "verify")).stdout, /^4 entries of /)
    })
  )
})

describe("signalbox audit list", () => {
  it.live("shows decisions latest first, in words and as JSON, by filter", () =>
    Effect.gen(function* () {
      const { close, signalbox } = setUp()
      const { stdout } = yield* signalbox("audit", "list", "--limit", "2")
      assert.match(stdout, /^#.*\n4 .*allowed +rule \d+ \(0123456789abcdef\) +four\n3 .*three\n$/)
      const rows = (yield* signalbox("audit", "list", "--json", "--thread", "t", "--effect", "allow")).stdout
      assert.deepStrictEqual(
        rows
          .trimEnd()
          .split("\n")
          .map((line) => JSON.parse(line).decision.title),
        ["four", "three", "two", "one"]
      )
      const none = yield* signalbox("audit", "list", "--effect", "deny")
      assert.deepStrictEqual([none.stdout, none.stderr], ["", "No decision is recorded that fits.\n"])
      assert.strictEqual((yield* signalbox("audit", "list", "--since", "yesterday")).code, 2)
      close()
    })
  )
})

describe("signalbox rules replay", () => {
  it.live("says what rules would have made of the requests of a run", () =>
    Effect.gen(function* () {
      const state = temporaryFolder("state")
      const env = { SIGNALBOX_STATE_DIR: state }
      const options = [
        { optionId: "yes", name: "Yes", kind: "allow_once" },
        { optionId: "no", name: "No", kind: "reject_once" }
      ]
      const asking = (command: string) => ({
        permission: {
          toolCall: { toolCallId: command, title: command, kind: "execute", rawInput: { command } },
          options
        }
      })
      yield* call(play([asking("make a"), asking("make b"), asking("rm x")], "--approve", "allow"), { env })
      const replay = (...args: ReadonlyArray<string>) => call(["rules", "replay", ...args], { env })
      const none = yield* replay()
      assert.match(none.stderr, /^None of 3 recorded requests would have ended otherwise\.$/m)
      const denied = yield* replay("--rule", '{"effect":"deny","match":{"command":"rm **"}}')
      assert.match(denied.stdout, /asked, allowed by a flag +deny +1$/m)
      assert.match(denied.stderr, /^1 of 3 recorded requests would have ended otherwise\.$/m)
      const file = join(state, "tried.json")
      writeFileSync(
        file,
        '{"rules":[{"effect":"allow","match":{"command":"make *"}},{"effect":"ask","match":{"command":"rm **"}}]}'
      )
      const { stdout } = yield* replay("--rules", file, "--json")
      const result = JSON.parse(stdout)
      assert.deepInclude(result, { requests: 3, changed: 2, unknown: 0 })
      assert.deepStrictEqual(
        result.list.map(({ now, title }: Record<string, unknown>) => [title, now]),
        [
          ["make a", "allow"],
          ["make b", "allow"]
        ]
      )
      assert.strictEqual((yield* replay("--rule", "{")).code, 2)
    })
  )
})
