/**
 * Some threads on one state folder through several lives of the server. Each life but the last ends with SIGKILL, at a point that
 * the seeds choose; in the last one every thread has to prove that it is well, and the server ends in order.
 */
import { mixed } from "@signalbox/stand-in-agents/chaos/Treatment"
import { Random } from "@signalbox/stand-in-agents/cursor/Random"
import type { ItemId } from "@signalbox/contracts/Ids"
import type { ThreadView, TurnStatus } from "@signalbox/contracts/ThreadView"
import * as Effect from "effect/Effect"
import { randomUUID } from "node:crypto"
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import * as AgentLog from "./AgentLog.ts"
import { connect } from "./Connection.ts"
import * as DatabaseFile from "./DatabaseFile.ts"
import * as Drive from "./Drive.ts"
import * as KillPoint from "./KillPoint.ts"
import * as MarkedProcesses from "./MarkedProcesses.ts"
import * as Promises from "./Promises.ts"
import * as Removal from "./Removal.ts"
import * as Scenario from "./Scenario.ts"
import * as ServerLife from "./ServerLife.ts"
import * as Story from "./Story.ts"
import * as ThreadRows from "./ThreadRows.ts"
import { Watcher } from "./Watcher.ts"

/** Seeds that share a state folder: 0 … 19, 20 … 39 and so on. A seed is replayed with its neighbours. */
export const seedsPerBatch = 20
const lives = 3

export interface LifeReport {
  readonly point: KillPoint.KillPoint
  /** Whether it died there, or lived until nothing went on any more. */
  readonly reached: boolean
  readonly seconds: number
}

export interface BatchReport {
  readonly seeds: ReadonlyArray<number>
  readonly broken: ReadonlyArray<Promises.Broken>
  readonly lives: ReadonlyArray<LifeReport>
  /** How each turn of each thread ended. */
  readonly turns: ReadonlyArray<TurnStatus>
  /** Where everything of it is kept, when something was broken. */
  readonly folder: string | undefined
}

/** Text that was seen so long before the end has to survive: 250 ms as promised, the rest for a machine that is busy. */
const graceMs = 250 + 1000

/** How long processes may take to go. */
const goneWithin = 5000

/** @param batch number of it: its seeds begin at `batch * seedsPerBatch`. */
export const run = Effect.fnUntraced(function* (batch: number) {
  const folder = mkdtempSync(join(tmpdir(), "signalbox-chaos-"))
  const seeds = Array.from({ length: seedsPerBatch }, (_, index) => batch * seedsPerBatch + index)
  const paths = { state: join(folder, "state"), agents: join(folder, "agents"), project: join(folder, "project") }
  for (const path of Object.values(paths)) mkdirSync(path)
  const mark = `SIGNALBOX_CHAOS=${randomUUID()}`
  const stories = seeds.map((seed) => Story.begin(Scenario.make(seed, paths.agents, lives)))
  for (const { script } of stories.flatMap(({ scenario }) => scenario.turns.flat()))
    if (script !== undefined) writeFileSync(script.path, script.text)
  const random = new Random(mixed(batch, 0xba7c4))
  const broken: Array<Promises.Broken> = []
  const reports: Array<LifeReport> = []

  for (let life = 0; life < lives; life++) {
    const last = life === lives - 1
    const point: KillPoint.KillPoint = last ? { type: "rest" } : KillPoint.choose(random, seedsPerBatch)
    const log = join(folder, `server-${life}.log`)
    const began = performance.now()
    const { ended, reached } = yield* liveThrough({ life, log, mark, paths, point, stories })
    reports.push({ point, reached, seconds: (performance.now() - began) / 1000 })
    if (last && ended.code !== 0)
      broken.push({
        promise: "6 starts again",
        what: `the server ended with ${ended.code ?? ended.signal} when it was told to end`
      })
    if (!last && ended.signal !== "SIGKILL")
      broken.push({
        promise: "6 starts again",
        what: `life ${life} ended by itself with ${ended.code ?? ended.signal}; see ${log}`
      })
    for (const what of yield* orphans(mark))
      broken.push({ promise: "5 no orphans", what: `after ${KillPoint.textOf(point)}: ${what}` })
    for (const what of DatabaseFile.damage(paths.state, join(folder, "copy")))
      broken.push({ promise: "database intact", what })
  }

  broken.push(...stories.flatMap((story) => Promises.check(story, AgentLog.read(story.scenario.log))))
  for (const { removal, scenario } of stories) {
    if (removal !== "done") continue
    for (const path of Removal.filesWith(paths.state, Removal.wordsOf(scenario)))
      broken.push({ seed: scenario.seed, promise: "8 deleted", what: `words of it stand in ${path}` })
  }
  const transcripts = stories.reduce((sum, { last }) => sum + sizeOf(last), 0)
  const size = DatabaseFile.size(paths.state)
  if (size > 2 * transcripts + constantBytes * seeds.length)
    broken.push({ promise: "8 small database", what: `${size} bytes hold transcripts of ${transcripts}` })
  if (broken.length === 0) rmSync(folder, { recursive: true, force: true, maxRetries: 3 })
  const report: BatchReport = {
    seeds,
    broken,
    lives: reports,
    turns: stories.flatMap(({ last }) => last?.turns.map(({ status }) => status) ?? []),
    folder: broken.length === 0 ? undefined : folder
  }
  return report
})

/** Bytes of a transcript, with all of the texts that are only begun in it. */
const sizeOf = (view: ThreadView | undefined): number => {
  if (view === undefined) return 0
  const long = view.items.flatMap((item) => (item.type === "tool" ? (item.tool.long ?? []) : []))
  return long.reduce((sum, { length }) => sum + length, Buffer.byteLength(JSON.stringify(view)))
}

/** What a thread may take in the database beside twice its transcript: rows, indexes and pages that are not full. */
const constantBytes = 8 * 1024

interface LifeOptions {
  readonly life: number
  readonly log: string
  readonly mark: string
  readonly paths: { readonly state: string; readonly project: string }
  readonly point: KillPoint.KillPoint
  readonly stories: ReadonlyArray<Story.Story>
}

const liveThrough = Effect.fnUntraced(function* ({ life, log, mark, paths, point, stories }: LifeOptions) {
  const began = Date.now()
  const span = point.type === "span" ? point : undefined
  const server = yield* ServerLife.start({ stateDirectory: paths.state, log, mark, span })
  const watchers = new Map(stories.map((story) => [story, new Watcher()]))
  let left = point.type === "sight" ? point.nth : 0
  const see = (sight: KillPoint.Sight): void => {
    if (point.type !== "sight" || point.sight !== sight) return
    left -= 1
    if (left === 0) server.kill("SIGKILL")
  }
  if (point.type === "time")
    yield* Effect.forkScoped(
      Effect.andThen(
        Effect.sleep(point.afterMs),
        Effect.sync(() => server.kill("SIGKILL"))
      )
    )

  const activity = Effect.gen(function* () {
    const address = yield* server.ready
    const clients = [yield* connect(address), yield* connect(address)] as const
    const list = yield* ThreadRows.follow(clients[0])
    yield* Effect.forEach(
      watchers,
      ([story, watcher]) => Drive.play(story, watcher, { life, began, clients, list, see, ...paths }),
      { concurrency: "unbounded", discard: true }
    )
  }).pipe(
    Effect.scoped,
    // The server's end is what this waits for; a connection that it closes by itself is another matter.
    Effect.catchTag("RpcClientError", (error) => Effect.andThen(Effect.sleep("10 seconds"), Effect.die(error)))
  )
  const rested = yield* Effect.raceFirst(Effect.as(activity, true), Effect.as(server.ended, false))
  if (rested) server.kill(life === lives - 1 ? "SIGTERM" : "SIGKILL")
  const ended = yield* server.ended
  for (const [story, watcher] of watchers) story.before = pictureOf(watcher, ended.at) ?? story.before
  return { ended, reached: !rested }
}, Effect.scoped)

const pictureOf = ({ growth, view }: Watcher, endedAt: number): Story.Picture | undefined => {
  if (view === undefined) return undefined
  const durable = new Map<ItemId, number>()
  for (const [itemId, steps] of growth) {
    const step = steps.findLast(({ at }) => at < endedAt - graceMs)
    if (step !== undefined) durable.set(itemId, step.length)
  }
  return { view, durable }
}

/** What still carries the mark after a while. It is ended then. */
const orphans = Effect.fnUntraced(function* (mark: string) {
  const until = performance.now() + goneWithin
  let left = MarkedProcesses.find(mark)
  while (left.length > 0 && performance.now() < until) {
    yield* Effect.sleep("50 millis")
    left = MarkedProcesses.find(mark)
  }
  for (const { pid } of left) process.kill(pid, "SIGKILL")
  return left.map(({ command, pid }) => `process ${pid} was left: ${command}`)
})
