/** `signalbox sessions list`. */
import type { AgentSession, AgentSessionFilter, AgentSessionsFrame } from "@signalbox/contracts/AgentSession"
import type { SessionAbilities } from "@signalbox/contracts/Provider"
import { ProviderId } from "@signalbox/contracts/Provider"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Stream from "effect/Stream"
import { resolve } from "node:path"
import * as Visits from "../../compose/Visits.ts"
import { oneLine } from "../../base/Plain.ts"
import { AgentSessions } from "../../provider/Services/AgentSessions.ts"
import * as AgentVariables from "../agents/AgentVariables.ts"
import { durationText } from "../terminal/Amount.ts"
import { failedWith } from "../terminal/Failure.ts"
import { jsonText } from "../terminal/JsonText.ts"
import * as Stdout from "../terminal/Stdout.ts"
import { type Column, table } from "../terminal/Table.ts"
import * as StateFolder from "../server/StateFolder.ts"
import * as Terminal from "../terminal/Terminal.ts"

export interface ListFlags {
  readonly stateDir: Option.Option<string>
  readonly provider: string
  /** Variables for the agent, each as NAME=VALUE. */
  readonly env: ReadonlyArray<string>
  readonly cwd: Option.Option<string>
  readonly archived: boolean
  readonly json: boolean
}

export const listSessions = Effect.fn("ListSessions")(function* (flags: ListFlags) {
  const directory = yield* StateFolder.of(flags.stateDir)
  const id = ProviderId.make(flags.provider)
  const amended = yield* AgentVariables.amending("sessions list", directory, id, flags.env)
  const listing = Effect.flatMap(AgentSessions, (sessions) =>
    gathered(sessions.list(id, filterOf(flags), [process.cwd()]))
  )
  const { abilities, sessions, truncated } = yield* listing.pipe(
    Effect.provide(Visits.layer(directory, false, amended)),
    Effect.mapError(({ problem }) => failedWith(problem))
  )
  if (abilities?.list !== true) return yield* failedWith(noList(flags.provider))
  if (sessions.length === 0 && !flags.json) return Terminal.err("There are no such sessions.")
  const lines = flags.json
    ? sessions.map((session) => jsonText(session))
    : table(columns(yield* Clock.currentTimeMillis), sessions)
  yield* Stdout.unlessNobodyReads(Stdout.write(lines.map((line) => `${line}\n`).join("")))
  if (truncated) Terminal.err(`There are more than these ${sessions.length}.`)
})

export const filterOf = (flags: {
  readonly cwd: Option.Option<string>
  readonly archived?: boolean
}): AgentSessionFilter => ({
  ...(Option.isSome(flags.cwd) && { cwd: resolve(flags.cwd.value) }),
  ...(flags.archived === true && { archived: "only" as const })
})

export interface Listing {
  readonly abilities: SessionAbilities | undefined
  readonly sessions: ReadonlyArray<AgentSession>
  readonly truncated: boolean
}

/** Joins the frames of a list of sessions into one list. */
export const gathered = <E, R>(frames: Stream.Stream<AgentSessionsFrame, E, R>): Effect.Effect<Listing, E, R> =>
  Stream.runFold(
    frames,
    (): Listing => ({ abilities: undefined, sessions: [], truncated: false }),
    (listing, frame) => {
      if (frame.type === "abilities") return { ...listing, abilities: frame.abilities }
      if (frame.type === "truncated") return { ...listing, truncated: true }
      return { ...listing, sessions: [...listing.sessions, ...frame.sessions] }
    }
  )

export const noList = (provider: string) => ({
  code: "unsupported" as const,
  title: `${provider} does not list its sessions.`,
  cause: "The agent does not offer it.",
  evidence: { method: "session/list" },
  nextSteps: []
})

const columns = (now: number): ReadonlyArray<Column<AgentSession>> => [
  { heading: "SESSION", cell: ({ sessionId }) => oneLine(sessionId, 60) },
  {
    heading: "UNCHANGED",
    cell: ({ updatedAt }) => (updatedAt === undefined ? "" : durationText(Math.max(0, now - updatedAt))),
    right: true
  },
  { heading: "FOLDER", cell: ({ cwd }) => oneLine(cwd, 60) },
  { heading: "TITLE", cell: ({ title = "" }) => oneLine(title) }
]
