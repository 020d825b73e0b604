/**
 * A batch runs some threads on one state folder through several lives of the server. Each life but the last ends with SIGKILL, at the
 * point that one of the seeds chooses. In the last life every thread proves that it is well, and the server ends in order.
 */
import type { ThreadView, TurnStatus } from "@signalbox/contracts/ThreadView"
import * as Effect from "effect/Effect"
import { randomUUID } from "node:crypto"
import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { basename, join } from "node:path"
import { inRepository } from "../src/base/Installation.ts"
import { auditIn } from "../src/base/StateDirectory.ts"
import * as AgentLog from "./AgentLog.ts"
import { connect } from "./Connection.ts"
import * as Convergence from "./Convergence.ts"
import * as Copier from "./Copier.ts"
import * as DatabaseFile from "./DatabaseFile.ts"
import * as Drive from "./Drive.ts"
import * as KillPoint from "./KillPoint.ts"
import * as MarkedProcesses from "./MarkedProcesses.ts"
import type { Mutant } from "./Mutant.ts"
import * as OldDatabase from "./OldDatabase.ts"
import * as Promises from "./Promises.ts"
import * as Removal from "./Removal.ts"
import * as Scenario from "./Scenario.ts"
import * as ServerLife from "./ServerLife.ts"
import * as Story from "./Story.ts"
import * as ThreadRows from "./ThreadRows.ts"
import { Watcher } from "./Watcher.ts"

export interface LifeReport {
  readonly point: KillPoint.KillPoint
  /** Whether the server died at this point. Otherwise it lived until all threads were at rest. */
  readonly reached: boolean
  readonly seconds: number
}

export interface BatchReport {
  readonly seeds: ReadonlyArray<number>
  readonly broken: ReadonlyArray<Promises.Broken>
  readonly lives: ReadonlyArray<LifeReport>
  /** How each turn of each thread ended. */
  readonly turns: ReadonlyArray<TurnStatus>
  /** A copy of all files of the batch. It is kept only when the product broke a promise. */
  readonly folder: string | undefined
}

/** How long processes may take to end, in milliseconds. */
const goneWithin = 5000

export interface Options {
  /** How often the server is killed: once for each seed. */
  readonly kills?: number
  /** A build that breaks a promise, run instead of the product. */
  readonly mutant?: Mutant | undefined
  /** What `MortalBuild` made; the sources by default. Mutants change the sources. */
  readonly program?: string | undefined
}

/** Copies the files of a batch to where nobody tidies up after a run, and returns the folder. */
const keep = (folder: string): string => {
  const copy = inRepository(".tmp", "chaos", basename(folder))
  cpSync(folder, copy, { recursive: true })
  return copy
}

/** @param batch the number of the batch: its seeds begin at `batch * seedsPerBatch` */
export const run = Effect.fnUntraced(function* (
  batch: number,
  { kills = KillPoint.seedsPerBatch, mutant, program = ServerLife.entry }: Options = {}
) {
  const { seedsPerBatch } = KillPoint
  const lives = kills + 1
  const folder = mkdtempSync(join(tmpdir(), "signalbox-chaos-"))
  const seeds = Array.from({ length: seedsPerBatch }, (_, index) => batch * seedsPerBatch + index)
  const paths = {
    state: join(folder, "state"),
    agents: join(folder, "agents"),
    project: join(folder, "project"),
    copies: join(folder, "copies")
  }
  for (const path of Object.values(paths)) mkdirSync(path)
  const mark = `SIGNALBOX_CHAOS=${randomUUID()}`
  const stories = seeds.map((seed) => Story.begin(Scenario.make(seed, paths.agents, lives)))
  for (const { script } of stories.flatMap(({ scenario }) => scenario.turns.flat()))
    if (script !== undefined) writeFileSync(script.path, script.text)
  const isOld = KillPoint.migrates(seeds[0] ?? 0)
  if (isOld) yield* OldDatabase.make(paths.state)
  const broken: Array<Promises.Broken> = []
  const reports: Array<LifeReport> = []

  for (let life = 0; life < lives; life++) {
    const last = life === kills
    const point: KillPoint.KillPoint = last ? { type: "rest" } : KillPoint.ofSeed(seeds[life] ?? 0)
    const log = join(folder, `server-${life}.log`)
    const began = performance.now()
    const { copied, ended, oldThread, reached } = yield* liveThrough({
      life,
      last,
      isOld,
      log,
      mark,
      mutant,
      paths,
      point,
      program,
      stories
    })
    broken.push(
      ...copied.map((what): Promises.Broken => ({ promise: "backups are whole", what: `life ${life}: ${what}` }))
    )
    if (last && isOld)
      for (const what of OldDatabase.differences(oldThread)) broken.push({ promise: "6 readable", what })
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
    // Decisions outlive their thread: see docs/AUDIT.md.
    const others = Removal.filesWith(paths.state, scenario.seed).filter(
      (path) => !path.startsWith(auditIn(paths.state))
    )
    for (const path of others)
      broken.push({ seed: scenario.seed, promise: "8 deleted", what: `words of it stand in ${path}` })
  }
  const transcripts = stories.reduce((sum, { last }) => sum + sizeOf(last), 0)
  const size = DatabaseFile.size(paths.state)
  if (size > 2 * transcripts + emptyBytes + constantBytes * seeds.length)
    broken.push({ promise: "8 small database", what: `${size} bytes hold transcripts of ${transcripts}` })
  // The folder of a mutant is not kept, since it is known to break promises.
  const kept = broken.length === 0 || mutant !== undefined ? undefined : keep(folder)
  rmSync(folder, { recursive: true, force: true, maxRetries: 3 })
  const report: BatchReport = {
    seeds,
    broken,
    lives: reports,
    turns: stories.flatMap(({ last }) => last?.turns.map(({ status }) => status) ?? []),
    folder: kept
  }
  return report
})

/** Bytes of a transcript, including long texts of which the transcript holds only the beginning. */
const sizeOf = (view: ThreadView | undefined): number => {
  if (view === undefined) return 0
  const long = view.items.flatMap((item) => (item.type === "tool" ? (item.tool.long ?? []) : []))
  return long.reduce((sum, { length }) => sum + length, Buffer.byteLength(JSON.stringify(view)))
}

/** Bytes that a thread may take in the database beside twice its transcript: rows, indexes and pages that are not full. */
const constantBytes = 8 * 1024

/** Bytes of a database that holds only the thread of an earlier version. */
const emptyBytes = 160 * 1024

interface LifeOptions {
  readonly life: number
  readonly last: boolean
  /** Whether the state folder began with the database of an earlier version. */
  readonly isOld: boolean
  readonly log: string
  readonly mark: string
  readonly mutant: Mutant | undefined
  readonly paths: { readonly state: string; readonly project: string; readonly copies: string }
  readonly point: KillPoint.KillPoint
  readonly program: string
  readonly stories: ReadonlyArray<Story.Story>
}

const liveThrough = Effect.fnUntraced(function* ({
  isOld,
  last,
  life,
  log,
  mark,
  mutant,
  paths,
  point,
  program,
  stories
}: LifeOptions) {
  const began = Date.now()
  const span = point.type === "span" ? point : undefined
  const server = yield* ServerLife.start({ stateDirectory: paths.state, log, mark, mutant, program, span })
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
  let oldThread: ThreadView | undefined
  let copying: Effect.Effect<ReadonlyArray<string>> = Effect.succeed([])
  if (point.type === "backup") {
    const { beginsAfterMs, copierDiesAfterMs } = point
    const target = join(paths.copies, `${life}.sqlite`)
    const known = stories.filter(isCreated).map(({ scenario }) => scenario.threadId)
    yield* Effect.gen(function* () {
      yield* server.ready
      yield* Effect.sleep(beginsAfterMs)
      const copier = yield* Copier.start({
        stateDirectory: paths.state,
        target,
        log: `${log}.backup`,
        mark,
        program,
        diesAfterMs: copierDiesAfterMs
      })
      copying = Effect.flatMap(copier.ended, (how) => Copier.faults(target, how, known))
      yield* copierDiesAfterMs === undefined ? copier.began : copier.ended
      server.kill("SIGKILL")
    }).pipe(Effect.forkScoped)
  }

  const activity = Effect.gen(function* () {
    const address = yield* server.ready
    const clients = [yield* connect(address), yield* connect(address)] as const
    const list = yield* ThreadRows.follow(clients[0])
    yield* Effect.forEach(
      watchers,
      ([story, watcher]) => Drive.play(story, watcher, { life, began, clients, list, see, ...paths }),
      { concurrency: "unbounded", discard: true }
    )
    if (last && isOld)
      oldThread = yield* Convergence.snapshot(clients[0], OldDatabase.threadId).pipe(
        Effect.catchTag(["ThreadNotFound", "ThreadUnreadable"], () => Effect.succeed(undefined))
      )
  }).pipe(
    Effect.scoped,
    // This waits for the end of the server. A connection that the server closes by itself is another matter.
    Effect.catchTag("RpcClientError", (error) => Effect.andThen(Effect.sleep("10 seconds"), Effect.die(error)))
  )
  const rested = yield* Effect.raceFirst(Effect.as(activity, true), Effect.as(server.ended, false))
  if (rested) server.kill(last ? "SIGTERM" : "SIGKILL")
  const ended = yield* server.ended
  for (const [story, watcher] of watchers) {
    const { view } = watcher
    if (view !== undefined) story.before = { view, durable: watcher.durableAt(ended.at) }
  }
  return { ended, reached: !rested, copied: yield* copying, oldThread }
}, Effect.scoped)

/** Whether the thread was created, and nobody has asked to delete it. */
const isCreated = ({ removal, sent }: Story.Story): boolean =>
  removal === "none" &&
  sent.some(({ command, outcome }) => command.type === "thread.create" && outcome.type === "accepted")

/** The processes that still carry the mark after a while, in words. They are killed then. */
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
