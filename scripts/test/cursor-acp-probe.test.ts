import { execFile } from "node:child_process"
import { mkdtempSync, readFileSync, rmSync, statSync } from "node:fs"
import { homedir, tmpdir } from "node:os"
import { join } from "node:path"
import { promisify } from "node:util"
import { afterAll, assert, beforeAll, describe, it } from "vitest"

const root = join(import.meta.dirname, "../..")
const folder = mkdtempSync(join(tmpdir(), "probe-test-"))

interface Summary {
  readonly version: string | null
  readonly calls: ReadonlyArray<{ call: string; outcome: string; code?: number; ms: number; replayedUpdates?: number }>
  readonly methodsThatWork: ReadonlyArray<string>
  readonly errorCodes: Record<string, number>
  readonly updateKinds: Record<string, number>
  readonly stopReasons: ReadonlyArray<string>
  readonly permissionOptions: ReadonlyArray<ReadonlyArray<{ optionId: string }>>
  readonly agentRequestIds: ReadonlyArray<number>
}

const probe = async (generation: string, ...args: ReadonlyArray<string>) => {
  const out = join(folder, generation)
  const { stdout } = await promisify(execFile)(
    process.execPath,
    [
      join(root, "scripts/cursor-acp-probe.mjs"),
      "--command",
      `${join(root, "packages/stand-in-agents/bin/cursor-agent")} acp`,
      "--out",
      out,
      "--timeout",
      "10",
      ...args
    ],
    {
      env: {
        ...process.env,
        FAKE_CURSOR_GEN: generation,
        // A turn lasts long enough to be cancelled.
        FAKE_CURSOR_TIME_SCALE: "0.3",
        FAKE_CURSOR_STATE: join(folder, `${generation}-state`)
      }
    }
  )
  const summary: Summary = JSON.parse(readFileSync(join(out, "summary.json"), "utf8"))
  return { stdout, summary, transcript: readFileSync(join(out, "transcript.ndjson"), "utf8"), out }
}

describe("cursor-acp-probe", () => {
  let newest: Awaited<ReturnType<typeof probe>>
  let oldest: Awaited<ReturnType<typeof probe>>

  beforeAll(async () => {
    ;[newest, oldest] = await Promise.all([probe("2026.10"), probe("2026.02")])
  })
  afterAll(() => rmSync(folder, { recursive: true, force: true }))

  it("reports what works with a current Cursor", () => {
    const { summary } = newest
    assert.strictEqual(summary.version, "2026.10.01-e373342")
    for (const method of [
      "initialize",
      "session/new",
      "session/set_mode",
      "session/list",
      "session/load",
      "session/prompt"
    ])
      assert.include(summary.methodsThatWork, method)
    assert.deepEqual([...summary.stopReasons].sort(), ["cancelled", "end_turn"])
    assert.deepEqual(
      summary.permissionOptions[0]?.map(({ optionId }) => optionId),
      ["allow-once", "allow-always", "reject-once"]
    )
    assert.strictEqual(summary.agentRequestIds[0], 0)
  })

  it("shows that session/cancel is refused as a request and works as a notification", () => {
    assert.strictEqual(newest.summary.errorCodes["session/cancel sent as a request (must be a notification)"], -32601)
    const cancelled = newest.summary.calls.find(({ call }) => call === "session/prompt, cancelled by a notification")
    assert.strictEqual(cancelled?.outcome, "ok")
  })

  it("shows what an old Cursor lacks", () => {
    assert.notInclude(oldest.summary.methodsThatWork, "session/list")
    assert.strictEqual(oldest.summary.errorCodes["cursor/list_available_models"], -32601)
  })

  it("records the conversation, readable only by its owner and without private paths", () => {
    const lines = newest.transcript.trim().split("\n")
    assert.isAbove(lines.length, 50)
    for (const line of lines) assert.doesNotThrow(() => JSON.parse(line))
    assert.notInclude(newest.transcript, `"${homedir()}`)
    assert.strictEqual(statSync(join(newest.out, "transcript.ndjson")).mode & 0o777, 0o600)
    assert.include(newest.stdout, newest.out)
  })
})
