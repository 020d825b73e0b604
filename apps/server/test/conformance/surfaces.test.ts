/** An agent is looked over from a terminal and from a page: real processes, mostly waited for, side by side. */
import { ConformanceReport } from "@signalbox/contracts/Conformance"
import { ProviderId } from "@signalbox/contracts/Provider"
import { SignalboxRpc } from "@signalbox/contracts/Rpc"
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as RpcClient from "effect/rpc/RpcClient"
import * as Schedule from "effect/Schedule"
import * as Schema from "effect/Schema"
import * as Stream from "effect/Stream"
import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { reportText } from "../../src/cli/conformance/ConformanceText.ts"
import { connect, reachable } from "../cli/support/Conversation.ts"
import { call, groupEnds, start, temporaryFolder } from "../cli/support/Signalbox.ts"
import { emulator } from "../support/AgentHarness.ts"
import { elizaMain } from "../support/Examined.ts"

const decodeReport = Schema.decodeSync(Schema.fromJsonString(ConformanceReport))

describe.concurrent("signalbox conformance", { timeout: 180_000 }, () => {
  const eliza = ["conformance", "--agent", `${process.execPath} ${elizaMain}`]

  it.live("prints a table, and the report as JSON", () =>
    Effect.gen(function* () {
      const [table, json] = yield* Effect.all([call(eliza), call([...eliza, "--json"])], { concurrency: 2 })
      assert.strictEqual(table.code, 0)
      assert.match(table.stdout, /^eliza 0\.1\.0, version 1 of the protocol\n/)
      assert.match(table.stdout, /\n✓ {2}Loads a session +yes +works\n/)
      assert.match(table.stdout, /--model does that\.\n$/)
      assert.strictEqual(json.code, 0)
      const report = decodeReport(json.stdout)
      assert.isFalse(report.withModel)
      assert.strictEqual(report.protocolVersion, 1)
      const [, rows = ""] = reportText(report, 80).split("\n\n")
      for (const line of rows.split("\n")) assert.isAtMost(line.length, 80)
    })
  )

  it.live("is stopped by Ctrl-C, and leaves no agent and no folder behind", () =>
    Effect.gen(function* () {
      const log = join(temporaryFolder("log"), "log")
      const temporary = temporaryFolder("tmp")
      const env = { FAKE_CURSOR_QUIRKS: "hang_new", FAKE_CURSOR_LOG: log, TMPDIR: temporary }
      const running = yield* start(["conformance", "--agent", `${emulator} acp`], { env })
      const pid = yield* Effect.sync(() => pidIn(log)).pipe(
        Effect.repeat({ until: (pid) => pid !== undefined, schedule: Schedule.spaced("20 millis") }),
        Effect.raceFirst(Effect.flatMap(running.ended, (early) => Effect.die(early)))
      )
      running.kill("SIGINT")
      const { code, stderr } = yield* running.ended
      assert.deepStrictEqual([code, stderr], [3, "stopping … (Ctrl-C again kills at once)\n"])
      yield* groupEnds(pid ?? 0)
      assert.deepStrictEqual(
        readdirSync(temporary).filter((name) => name.startsWith("signalbox-conformance-")),
        []
      )
    }).pipe(Effect.scoped)
  )

  it.live("fails with the reason where the agent does not start", () =>
    Effect.gen(function* () {
      const { code, stderr } = yield* call(["conformance", "--agent", "/nowhere/agent"])
      assert.strictEqual(code, 1)
      assert.include(stderr, "There is no program /nowhere/agent.")
    })
  )
})

describe.concurrent("a page", { timeout: 180_000 }, () => {
  it.live("sees an agent being looked over, and finds the report later", () =>
    Effect.gen(function* () {
      const state = temporaryFolder("state")
      const agents = { talker: { command: process.execPath, args: [elizaMain] } }
      writeFileSync(join(state, "settings.json"), JSON.stringify({ agents }), { mode: 0o600 })
      const server = yield* start(["serve", "--state-dir", state, "--port", "0"])
      const providerId = ProviderId.make("talker")
      yield* Effect.gen(function* () {
        const client = yield* RpcClient.make(SignalboxRpc)
        assert.isNull(yield* client.conformanceReport({ providerId }))
        const frames = yield* Stream.runCollect(client.probeAgent({ providerId, model: false }))
        const last = frames.at(-1)
        if (last?.type !== "report") return assert.fail("The report comes last")
        assert.strictEqual(frames.filter(({ type }) => type === "result").length, last.report.results.length)
        assert.deepStrictEqual(yield* client.conformanceReport({ providerId }), last.report)
        const nobody = { providerId: ProviderId.make("nobody"), model: false }
        const refused = yield* Effect.flip(Stream.runDrain(client.probeAgent(nobody)))
        assert.strictEqual(refused._tag, "Refused")
      }).pipe(Effect.provide(connect(yield* reachable(server))))
    }).pipe(Effect.scoped)
  )
})

/** The process id in a log of the emulator. */
const pidIn = (log: string): number | undefined => {
  if (!existsSync(log)) return undefined
  const [, pid] = /"pid":(\d+)/.exec(readFileSync(log, "utf8")) ?? []
  return pid === undefined ? undefined : Number(pid)
}
