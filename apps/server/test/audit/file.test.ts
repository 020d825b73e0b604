/** The file of the audit log: what is written, what is read, and what becomes of a file that was changed by hand. */
import { assert, describe, it } from "@effect/vitest"
import { RequestId, ThreadId } from "@signalbox/contracts/Ids"
import * as Effect from "effect/Effect"
import { readdirSync, readFileSync, renameSync, statSync, writeFileSync } from "node:fs"
import { dirname, join } from "node:path"
import { DatabaseSync } from "node:sqlite"
import * as AuditFile from "../../src/audit/AuditFile.ts"
import * as AuditReader from "../../src/audit/AuditReader.ts"
import { temporaryFolder } from "../cli/support/Signalbox.ts"
import { decision, rule } from "./support/Drafts.ts"

const opened = () => {
  const path = join(temporaryFolder("audit"), "audit.sqlite")
  const file = AuditFile.open(path, () => 5_000)
  return { path, file }
}
const all = { filter: {}, limit: 100 }

describe("the audit log", () => {
  it.effect("gives its decisions latest first, page by page, with what came after each", () =>
    Effect.gen(function* () {
      const { file, path } = opened()
      const ids = ["a", "b", "c"].map((id) => RequestId.make(id))
      file.append(
        ids.map((requestId) => decision({ requestId })),
        false
      )
      const [first = RequestId.make("")] = ids
      file.append([{ type: "end", at: 2, requestId: first, decision: 1, status: "failed", exitCode: 3 }], true)
      file.append(
        [{ type: "refusal", at: 2, requestId: first, threadId: ThreadId.make("t1"), answer: "no", why: "Late." }],
        false
      )
      const latest = yield* AuditReader.page(path, { ...all, limit: 2 })
      assert.deepStrictEqual(
        latest.rows.map((row) => row.decision.requestId),
        ["c", "b"]
      )
      const { next, rows } = yield* AuditReader.page(path, { ...all, before: latest.next })
      assert.isUndefined(next)
      assert.deepStrictEqual(
        rows.map(({ decision: { requestId }, end, refusals }) => [requestId, end?.exitCode, refusals[0]?.why]),
        [["a", 3, "Late."]]
      )
      file.close()
    })
  )

  it.effect("filters by thread, agent, effect, rule and time", () =>
    Effect.gen(function* () {
      const { file, path } = opened()
      const threadId = ThreadId.make("t2")
      file.append(
        [
          decision(),
          decision({ threadId, effect: "deny" }),
          decision({ at: 9_000, by: { type: "rule", rule } }),
          decision({ judgement: { effect: "ask", rule, why: "", inspectable: true, commands: [], paths: [] } })
        ],
        false
      )
      const found = (filter: AuditReader.Wanted["filter"]) =>
        Effect.map(AuditReader.page(path, { ...all, filter }), ({ rows }) =>
          rows.map(({ decision: { sequence } }) => sequence)
        )
      assert.deepStrictEqual(yield* found({}), [4, 3, 2, 1])
      assert.deepStrictEqual(yield* found({ threadId }), [2])
      assert.deepStrictEqual(yield* found({ effect: "deny", since: 500 }), [2])
      assert.deepStrictEqual(yield* found({ rule: rule.id }), [4, 3])
      assert.deepStrictEqual(yield* found({ rule: rule.id, by: "rule" }), [3])
      assert.deepStrictEqual(yield* found({ since: 1_001 }), [3])
      assert.deepStrictEqual(yield* AuditReader.countRules(path, 0), [
        { rule, allowed: 1, denied: 0, asked: 1, lastAt: 9_000 }
      ])
      file.close()
    })
  )

  it("is for its owner only, and refuses changes and deletions", () => {
    const { file, path } = opened()
    file.append([decision()], false)
    for (const part of ["", "-wal", "-shm"]) assert.strictEqual(statSync(`${path}${part}`).mode & 0o777, 0o600, part)
    const other = new DatabaseSync(path)
    assert.throws(() => other.exec("UPDATE entries SET entry = '{}'"), /never changed/)
    assert.throws(() => other.exec("DELETE FROM entries"), /never deleted/)
    assert.throws(
      () => other.exec("INSERT OR REPLACE INTO entries (sequence, hash, entry) VALUES (1, '', '')"),
      /never/
    )
    other.close()
    file.close()
  })

  it.effect("is begun anew where the file is no database, and the old file is kept", () =>
    Effect.gen(function* () {
      const folder = temporaryFolder("audit")
      const path = join(folder, "audit.sqlite")
      writeFileSync(path, "no database".repeat(200))
      const file = AuditFile.open(path, () => 5_000)
      file.append([decision()], false)
      const kept = readdirSync(folder).filter((name) => name.includes("damaged"))
      assert.lengthOf(kept, 1)
      const { rows } = yield* AuditReader.page(path, all)
      assert.deepStrictEqual(
        rows.map(({ decision: { sequence } }) => sequence),
        [2]
      )
      file.close()
    })
  )

  it.effect("goes on in a new file where the old one was taken away", () =>
    Effect.gen(function* () {
      const { file, path } = opened()
      file.append([decision()], false)
      renameSync(path, `${path}.taken`)
      file.append([decision({ title: "later" })], false)
      const { rows } = yield* AuditReader.page(path, all)
      assert.deepStrictEqual(
        rows.map(({ decision: { title } }) => title),
        ["later"]
      )
      file.close()
    })
  )

  it.effect("begins anew where damage shows only when an entry is written", () =>
    Effect.gen(function* () {
      const { file, path } = opened()
      file.append([decision()], false)
      file.close()
      const damaging = new DatabaseSync(path)
      const page = damaging.prepare("SELECT rootpage FROM sqlite_schema WHERE name = 'entries_thread'").get()
      const { page_size: size } = damaging.prepare("PRAGMA page_size").get() ?? {}
      damaging.exec("PRAGMA wal_checkpoint(TRUNCATE)")
      damaging.close()
      const bytes = readFileSync(path)
      bytes.fill(0xff, (Number(page?.["rootpage"]) - 1) * Number(size), Number(page?.["rootpage"]) * Number(size))
      writeFileSync(path, bytes)
      const again = AuditFile.open(path, () => 5_000)
      again.append([decision({ title: "later" })], true)
      again.close()
      const kept = readdirSync(dirname(path)).filter((name) => name.includes("damaged"))
      assert.isNotEmpty(kept)
      const { rows } = yield* AuditReader.page(path, all)
      assert.deepStrictEqual(
        rows.map(({ decision: { sequence, title } }) => [sequence, title]),
        [[2, "later"]]
      )
    })
  )
})
