/**
 * What agents start in groups of their own ends with its session, with its server, or by the next server. It is reported by name. The
 * sentence "nothing is left running" is compared with the table of processes. Over real servers.
 */
import { assert, describe, it } from "@effect/vitest"
import type { ThreadId } from "@signalbox/contracts/Ids"
import { TurnId } from "@signalbox/contracts/Ids"
import type { AcpOptions } from "@signalbox/contracts/Provider"
import type { ThreadView } from "@signalbox/contracts/ThreadView"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Schedule from "effect/Schedule"
import * as Stream from "effect/Stream"
import { randomUUID } from "node:crypto"
import { existsSync, readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import * as MarkedProcesses from "@signalbox/process/MarkedProcesses"
import { ofThisSystem } from "@signalbox/process/ProcessFacts"
import { markOf } from "@signalbox/process/ProcessLedger"
import { call, temporaryFolder } from "../cli/support/Signalbox.ts"
import { served } from "../support/ServedThreads.ts"

const program = fileURLToPath(new URL("../agents/strayer.mjs", import.meta.url))

/** Waits for what is about to be. */
const until = (what: string, holds: () => boolean) =>
  Effect.sync(holds).pipe(
    Effect.repeat({ until: Boolean, schedule: Schedule.spaced("10 millis") }),
    Effect.timeoutOrElse({ duration: "60 seconds", orElse: () => Effect.die(new Error(`Never came to be: ${what}`)) })
  )

/** An agent whose processes a test finds by a mark of its own. What is left of it in the end is ended. */
const strayer = (more: Partial<AcpOptions> = {}) =>
  Effect.acquireRelease(
    Effect.sync(() => {
      const mark = `STRAYER=${randomUUID()}`
      const [name = "", value = ""] = mark.split("=")
      const folder = temporaryFolder("strays")
      const acp: AcpOptions = {
        command: process.execPath,
        args: [program],
        env: { [name]: value, STRAYS: folder },
        ...more
      }
      const living = () => MarkedProcesses.find(mark).map(({ pid }) => ({ pid, name: ofThisSystem.nameOf(pid) ?? "" }))
      return {
        acp,
        folder,
        /** All that it has started, and itself. */
        living,
        named: (wanted: string) => living().filter(({ name }) => name === wanted),
        mark
      }
    }),
    ({ mark }) => Effect.sync(() => MarkedProcesses.end(mark))
  )

/** Runs a line in the background, in a session of its own. */
const stray = (line: string) => `setsid ${line} &`

/** One left its group, and one also lost its parents and its name. One does not heed SIGTERM. */
const strays = [
  stray("sleep 600"),
  `(setsid bash -c '(exec -a innocent sleep 600) & disown; exit' &)`,
  stray(`bash -c 'trap "" TERM; while :; do sleep 600; done'`)
].join("\n")

/** Whether a warning is about the agent's silence. The agent of these tests always works without text. */
const isSilence = ({ message }: { readonly message: string }) => message.endsWith("without saying anything.")
const warnings = ({ items }: ThreadView) =>
  items.flatMap((item) => (item.type === "warning" && !isSilence(item) ? [item] : []))

type Served = Effect.Success<ReturnType<typeof served>>

/** A thread whose agent has run this script. */
const strayed = Effect.fnUntraced(function* (
  { client, open, send }: Served,
  name: string,
  agent: Effect.Success<ReturnType<typeof strayer>>,
  script: string
) {
  const { threadId, watcher } = yield* open(name, agent.acp)
  const text = { type: "text" as const, text: script }
  yield* send(threadId, { type: "turn.start", turnId: TurnId.make(`of ${name}`), prompt: [text] })
  yield* watcher.until(({ turns }) => turns[0]?.status === "completed")
  return { threadId, watcher, remove: client.deleteThread({ threadId }) }
})

/** A server whose agent has left its strays running. `innocent` is the number of the one that lost its name. */
const servedWithStrays = Effect.fnUntraced(function* (state: string, more?: Partial<AcpOptions>) {
  const agent = yield* strayer(more)
  const before = yield* served(state)
  const { threadId, watcher } = yield* strayed(before, "strays", agent, strays)
  yield* until("its strays", () => agent.named("innocent").length === 1)
  const [innocent] = agent.named("innocent")
  return { agent, before, threadId, watcher, innocent: innocent?.pid }
})

const exited = ({ session }: ThreadView) => session.state === "exited"
const stop = ({ send }: Served, threadId: ThreadId) => send(threadId, { type: "session.stop" })

describe.skipIf(process.platform !== "linux")("what agents leave running", () => {
  it.live(
    "ends with its session, is told by name and number, and nobody else's does",
    () =>
      Effect.gen(function* () {
        const server = yield* served(temporaryFolder("state"))
        const [agent, other] = [yield* strayer(), yield* strayer()]
        const { threadId, watcher } = yield* strayed(server, "strays", agent, strays)
        yield* strayed(server, "others", other, stray("sleep 600"))
        yield* until("all strays", () => agent.named("innocent").length === 1 && agent.named("sleep").length >= 2)
        const before = agent.living()
        yield* stop(server, threadId)
        const view = yield* watcher.until(exited)
        // The process has ended exactly when the warning says so, not later.
        assert.deepStrictEqual(agent.living(), [])
        const [warning] = warnings(view)
        assert.match(warning?.message ?? "", /^Ended \d processes that .* had left running\.$/)
        const told = before.filter(({ name }) => name === "innocent" || name === "sleep" || name === "bash")
        for (const { name, pid } of told) assert.include(warning?.detail, `${name} (${pid})`)
        assert.strictEqual(other.named("sleep").length, 1)
      }),
    120_000
  )

  it.live(
    "ends with the deletion of its thread, and with the end of the server",
    () =>
      Effect.gen(function* () {
        const server = yield* served(temporaryFolder("state"))
        const [deleted, open] = [yield* strayer(), yield* strayer()]
        const thread = yield* strayed(server, "deleted", deleted, strays)
        yield* strayed(server, "open", open, strays)
        for (const agent of [deleted, open]) yield* until("its strays", () => agent.named("innocent").length === 1)
        yield* thread.remove
        assert.deepStrictEqual(deleted.living(), [])
        assert.strictEqual(open.named("innocent").length, 1)
        server.server.kill("SIGTERM")
        yield* server.server.ended
        assert.deepStrictEqual(open.living(), [])
      }),
    120_000
  )

  it.live(
    "ends with a server that is killed, and the next one tells it in the thread, in its health and in its log",
    () =>
      Effect.gen(function* () {
        const state = temporaryFolder("state")
        const { agent, before, innocent, threadId } = yield* servedWithStrays(state)
        before.server.kill("SIGKILL")
        yield* until("the end of all strays", () => agent.living().length === 0)

        const after = yield* served(state)
        const { view } = yield* seenOf(after, threadId)
        const [warning] = warnings(view)
        assert.include(warning?.detail, `(${innocent})`)
        const health = Option.getOrThrow(yield* Stream.runHead(after.client.watchHealth()))
        const entry = health.leftovers?.find(({ pid }) => pid === innocent)
        assert.deepStrictEqual([entry?.state, entry?.threadId], ["ended", threadId])
        assert.isAtLeast(health.reaped, 3)
        const log = join(state, "logs", "server.ndjson")
        yield* until(
          "its line in the log",
          () => existsSync(log) && readFileSync(log, "utf8").includes(`(${innocent})`)
        )
        assert.deepStrictEqual(readdirSync(join(state, "agents")), [])
      }),
    120_000
  )

  it.live(
    "ends by the next server where the guard was killed too; doctor names it before",
    () =>
      Effect.gen(function* () {
        const state = temporaryFolder("state")
        const { agent, before, innocent, threadId } = yield* servedWithStrays(state)
        before.server.kill("SIGSTOP")
        for (const pid of guardsOf(before.server.pid, agent.living())) process.kill(pid, "SIGKILL")
        before.server.kill("SIGKILL")
        yield* before.server.ended
        assert.strictEqual(agent.named("innocent").length, 1)
        const doctor = yield* call(["doctor", "--state-dir", state])
        assert.include(doctor.stdout, `innocent (${innocent})`)

        const after = yield* served(state)
        assert.deepStrictEqual(agent.living(), [])
        const { view } = yield* seenOf(after, threadId)
        assert.include(warnings(view)[0]?.detail, `innocent (${innocent})`)
      }),
    120_000
  )

  it.live(
    "goes on where its name is kept, and is told each time",
    () =>
      Effect.gen(function* () {
        const keeps = { keeps: ["innocent"] }
        const { agent, before, threadId, watcher } = yield* servedWithStrays(temporaryFolder("state"), keeps)
        yield* stop(before, threadId)
        const told = warnings(yield* watcher.until(exited)).find(({ message }) => message.includes("keeps"))
        const [kept] = agent.named("innocent")
        assert.deepStrictEqual([told?.detail, agent.living()], [`innocent (${kept?.pid})`, [kept]])
      }),
    120_000
  )

  it.live(
    "goes on where its name is kept, also when server and guard are killed; all else ends",
    () =>
      Effect.gen(function* () {
        const state = temporaryFolder("state")
        const { agent, before } = yield* servedWithStrays(state, { keeps: ["innocent"] })
        before.server.kill("SIGKILL")
        yield* before.server.ended
        const after = yield* served(state)
        const [kept] = agent.named("innocent")
        assert.deepStrictEqual(agent.living(), [kept])
        const health = Option.getOrThrow(yield* Stream.runHead(after.client.watchHealth()))
        assert.strictEqual(health.leftovers?.find(({ state }) => state === "kept")?.pid, kept?.pid)
      }),
    120_000
  )

  it.live(
    "ends also where it starts others for as long as it lives",
    () =>
      Effect.gen(function* () {
        const server = yield* served(temporaryFolder("state"))
        const agent = yield* strayer()
        // Each begins the next in a session of its own, and ends.
        const storm = `cat > "$STRAYS/storm" <<'END'
trap "" TERM
setsid sleep 600 &
sleep 0.05
exec setsid -f bash "$STRAYS/storm"
END
for i in 1 2 3; do setsid -f bash "$STRAYS/storm"; done`
        const { threadId, watcher } = yield* strayed(server, "storm", agent, storm)
        yield* until("a storm", () => agent.living().length > 20)
        yield* stop(server, threadId)
        yield* watcher.until(exited)
        assert.deepStrictEqual(agent.living(), [])
      }),
    120_000
  )

  it.live(
    "is not known where it cleared its environment: that is the limit that docs/OPERATING.md names",
    () =>
      Effect.gen(function* () {
        const server = yield* served(temporaryFolder("state"))
        const agent = yield* strayer()
        const { threadId, watcher } = yield* strayed(
          server,
          "cleared",
          agent,
          `setsid env -i bash -c 'echo $$ > "'"$STRAYS"'/pid"; exec sleep 600' & sleep 0.2`
        )
        yield* until("its number", () => existsSync(join(agent.folder, "pid")))
        const pid = Number(readFileSync(join(agent.folder, "pid"), "utf8"))
        yield* Effect.addFinalizer(() => Effect.sync(() => process.kill(pid, "SIGKILL")))
        yield* stop(server, threadId)
        yield* watcher.until(exited)
        assert.isDefined(ofThisSystem.birthOf(pid))
      }),
    120_000
  )

  it.live(
    "may be a Signalbox: it and its agents end with the session, and another session's marks stay its own",
    () =>
      Effect.gen(function* () {
        const server = yield* served(temporaryFolder("state"))
        const agent = yield* strayer()
        const inner = temporaryFolder("inner")
        const bin = fileURLToPath(new URL("../../src/bin.ts", import.meta.url))
        const { threadId, watcher } = yield* strayed(
          server,
          "outer",
          agent,
          `SIGNALBOX_STATE_DIR=${inner} setsid ${process.execPath} ${bin} run --agent "${process.execPath} ${program}" "${stray("sleep 600")} sleep 600" > /dev/null 2>&1 &`
        )
        yield* until("the agent within", () => agent.named("sleep").length >= 2)
        const marks = new Set(
          agent.living().map(({ pid }) => ofThisSystem.environmentOf(pid).find((entry) => entry.startsWith(markOf(""))))
        )
        assert.strictEqual(marks.size, 2)
        yield* stop(server, threadId)
        yield* watcher.until(exited)
        yield* until("the end of all within", () => agent.living().length === 0)
      }),
    120_000
  )
})

const seenOf = Effect.fnUntraced(function* (server: Served, threadId: ThreadId) {
  const watcher = yield* server.watch(threadId)
  return { view: yield* watcher.until(exited) }
})

/** The guards of a server: all its children but the agents. */
const guardsOf = (server: number, agents: ReadonlyArray<{ readonly pid: number }>): ReadonlyArray<number> =>
  ofThisSystem
    .list()
    .filter(({ alive, pid }) => alive && !agents.some((agent) => agent.pid === pid) && parentOf(pid) === server)
    .map(({ pid }) => pid)

const parentOf = (pid: number): number => {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, "utf8")
    return Number(stat.slice(stat.lastIndexOf(")") + 2).split(" ")[1])
  } catch {
    return 0
  }
}
