/**
 * Plays a tape. Adapters start the tape player instead of their agents, once for each recorded process. The wire is
 * followed here, through the same interface as a recording.
 */
import type { ProviderSessionId } from "@signalbox/contracts/Ids"
import type { Problem } from "@signalbox/contracts/Problem"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Queue from "effect/Queue"
import { standInAgent } from "../base/Installation.ts"
import { McpServers } from "../mcp/McpServers.ts"
import type { AgentProfile } from "../provider/acp/profile/AgentProfile.ts"
import type { Launch } from "../provider/agent/Launch.ts"
import { objectOf, textOf } from "../base/Json.ts"
import { type ProviderError, providerError } from "../base/ProviderError.ts"
import { Tape } from "../tape/Tape.ts"
import type { Heard, RecordedRun } from "./RecordedRun.ts"
import type { TapeClock } from "./TapeClock.ts"

/** The progress of the replay of a process. */
export type Cue =
  /** The agent has sent everything before this message, and the client has handled it. */
  | { readonly type: "due"; readonly heard: Heard }
  /** The client has sent a line. `count`: all its lines so far. */
  | { readonly type: "heard"; readonly count: number }
  /** The agent has sent everything, and the client has handled it. */
  | { readonly type: "end" }
  /** `expected`: undefined if the tape has no further message. */
  | { readonly type: "diverged"; readonly expected: Heard | undefined; readonly said: string }
  /** The session has started, or has failed to start. */
  | { readonly type: "started"; readonly problem: Problem | undefined }
  /** The adapter refused a recorded act of people. */
  | { readonly type: "refused"; readonly heard: Heard; readonly problem: Problem }
  | { readonly type: "exited" }

/** A recorded process that is being played. */
export interface Scene {
  readonly run: RecordedRun
  readonly cues: Queue.Queue<Cue>
}

export interface Stage {
  /** The scenes, in the order in which they begin. */
  readonly scenes: ReadonlyArray<Scene>
  /** The scene of a session of the adapter. */
  readonly sceneOf: (session: ProviderSessionId) => Scene | undefined
  /** What differs from the agent's own profile. */
  readonly profile: Pick<AgentProfile, "launch" | "authenticate" | "workspace">
  readonly tape: Layer.Layer<Tape>
  /** The MCP servers of the recorded session, instead of this machine's. */
  readonly mcpServers: Layer.Layer<never>
}

export interface Options {
  readonly clock: TapeClock
  /** The speed; 1 is the speed of the recording. Undefined plays without pauses. */
  readonly speed: number | undefined
}

const player = standInAgent("player")
const loginTimeout = "15 seconds"

export const make = Effect.fnUntraced(function* (
  runs: ReadonlyArray<RecordedRun>,
  { clock, speed }: Options
): Effect.fn.Return<Stage> {
  const scenes = yield* Effect.forEach(runs, (run) => Effect.map(Queue.unbounded<Cue>(), (cues) => ({ run, cues })))
  const sessions = new Map<ProviderSessionId, Scene>()
  let begun = 0
  const current = (): Scene | undefined => scenes[begun - 1]

  const launch = Effect.suspend((): Effect.Effect<Launch, ProviderError> => {
    begun += 1
    const scene = current()
    if (scene === undefined) return Effect.fail(providerError("session-not-found", "The tape ends here.", ""))
    const { path, start, startedAt } = scene.run
    clock.hold(startedAt)
    return Effect.succeed({
      command: process.execPath,
      args: [player, "--driven", ...(speed === undefined ? [] : ["--speed", String(speed)]), path],
      env: {},
      ...(start.protocol !== undefined && { protocol: start.protocol }),
      ...(start.agentVersion !== undefined && { version: start.agentVersion })
    })
  })

  return {
    scenes,
    sceneOf: (session) => sessions.get(session),
    profile: {
      launch: () => launch,
      // Recorded commands and writes must not happen again.
      workspace: () => ({ files: "off", terminals: false, shellLines: false, environment: "all" }),
      // The recording decides about the sign-in, not the state of this machine.
      authenticate: ([methodId]) =>
        methodId !== undefined && current()?.run.signedIn === true ? { methodId, timeout: loginTimeout } : undefined
    },
    mcpServers: Layer.succeed(McpServers, {
      list: () => Effect.succeed([]),
      forSession: () => Effect.sync(() => ({ ready: [], leftOut: [], ...current()?.run.start.mcp, secrets: [] }))
    }),
    tape: Layer.succeed(
      Tape,
      Tape.of({
        open: ({ providerSessionId }) =>
          Effect.sync(() => {
            const scene = current()
            if (scene !== undefined) sessions.set(providerSessionId, scene)
            return { path: undefined, stderr: () => {}, note: () => {}, hop: () => {}, ...follow(scene, clock) }
          })
      })
    )
  }
})

/** Prefixes of the tape player's own methods and of their ids. */
const asideMethod = "_tape/"
const asideId = "tape:"

/** Follows the wire of one process. */
const follow = (scene: Scene | undefined, clock: TapeClock) => {
  if (scene === undefined) return { wire: () => {}, lineOf: () => undefined }
  const { heard, last, said } = scene.run
  const tell = (cue: Cue) => Queue.offerUnsafe(scene.cues, cue)
  const lines = new Map<number, number>()
  let count = 0

  const reached = (place: string) => {
    const due = heard.get(Number(place))
    if (due !== undefined) tell({ type: "due", heard: due })
    else if (place === "end") tell({ type: "end" })
  }

  const fromAgent = (message: unknown, number: number) => {
    const method = textOf(objectOf(message), "method")
    if (method === `${asideMethod}diverged`) {
      const params = objectOf(objectOf(message)["params"])
      tell({ type: "diverged", expected: heard.get(Number(params["line"])), said: textOf(params, "said") ?? "" })
    }
    if (method?.startsWith(asideMethod) === true) return
    const then = said[lines.size]
    if (then !== undefined) lines.set(number, then.line)
    clock.moveTo(then?.at ?? last.at)
  }

  return {
    wire: (direction: "in" | "out", _line: string, message: unknown, number: number) => {
      if (direction === "in") return fromAgent(message, number)
      const id = textOf(objectOf(message), "id")
      if (id?.startsWith(asideId) === true) return reached(id.slice(asideId.length))
      count += 1
      tell({ type: "heard", count })
    },
    lineOf: (number: number) => lines.get(number)
  }
}
