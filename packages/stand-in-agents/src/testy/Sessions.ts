/** The sessions of one process. Their ids count from 1, so that each run has the same. */
import type { McpServer, SessionConfigOption, SessionModeState } from "@signalbox/acp/AcpSchema"
import { RpcError } from "@signalbox/acp/JsonRpc"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"

/** What the client says about a session when it begins, loads or resumes it. */
export interface Setup {
  readonly cwd: string
  readonly additionalDirectories?: ReadonlyArray<string>
  readonly mcpServers?: ReadonlyArray<McpServer>
}

export interface Session {
  readonly id: string
  setup: Setup
  mode: string
  verbosity: string
  /** Completes what runs when the session is cancelled. */
  readonly turns: Set<Deferred.Deferred<void>>
  /** Whether it was cancelled while nothing ran. */
  wasCancelled: boolean
}

const modes = ["chat", "plan"]
const verbosities = ["brief", "normal", "verbose"]

const nameOf = (id: string): string => id.slice(0, 1).toUpperCase() + id.slice(1)

export const modesOf = ({ mode }: Session): SessionModeState => ({
  currentModeId: mode,
  availableModes: modes.map((id) => ({ id, name: nameOf(id) }))
})

export const configOptionsOf = ({ verbosity }: Session): ReadonlyArray<SessionConfigOption> => [
  {
    type: "select",
    id: "verbosity",
    name: "Verbosity",
    currentValue: verbosity,
    options: verbosities.map((value) => ({ value, name: nameOf(value) }))
  }
]

const oneOf = (what: string, value: unknown, values: ReadonlyArray<string>): Effect.Effect<string, RpcError> => {
  const found = values.find((candidate) => candidate === value)
  return found === undefined
    ? Effect.fail(RpcError.invalidParams(`There is no ${what} ${JSON.stringify(value)}, only ${values.join(", ")}`))
    : Effect.succeed(found)
}

export const make = () => {
  const sessions = new Map<string, Session>()
  let last = 0

  const open = (id: string, setup: Setup): Session => {
    const session: Session = {
      id,
      setup,
      mode: "chat",
      verbosity: "normal",
      turns: new Set(),
      wasCancelled: false
    }
    sessions.set(id, session)
    return session
  }

  const get = (id: string): Effect.Effect<Session, RpcError> => {
    const session = sessions.get(id)
    return session === undefined
      ? Effect.fail(RpcError.invalidParams(`There is no session ${id}`))
      : Effect.succeed(session)
  }

  const cancel = (id: string): void => {
    const session = sessions.get(id)
    if (session === undefined) return
    if (session.turns.size === 0) session.wasCancelled = true
    for (const turn of session.turns) Deferred.doneUnsafe(turn, Effect.void)
  }

  return {
    get,
    cancel,
    create: (setup: Setup): Session => {
      do last += 1
      while (sessions.has(`testy-session-${last}`))
      return open(`testy-session-${last}`, setup)
    },
    /** Takes any id: what is not known begins here. */
    reopen: (id: string, setup: Setup): Session => {
      const session = sessions.get(id)
      if (session === undefined) return open(id, setup)
      session.setup = setup
      return session
    },
    /** Ends what runs in it, and forgets it. */
    close: (id: string): void => {
      cancel(id)
      sessions.delete(id)
    },
    list: (cwd: string | null | undefined): ReadonlyArray<Session> =>
      [...sessions.values()].filter((session) => cwd == null || session.setup.cwd === cwd),
    setMode: Effect.fnUntraced(function* (id: string, mode: string) {
      const session = yield* get(id)
      session.mode = yield* oneOf("mode", mode, modes)
    }),
    setVerbosity: Effect.fnUntraced(function* (id: string, option: string, value: unknown) {
      const session = yield* get(id)
      yield* oneOf("option", option, ["verbosity"])
      session.verbosity = yield* oneOf("verbosity", value, verbosities)
      return session
    })
  }
}
