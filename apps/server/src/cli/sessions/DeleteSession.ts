/** `signalbox sessions delete`. */
import type { ResumeToken } from "@signalbox/contracts/Ids"
import { ProviderId } from "@signalbox/contracts/Provider"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Visits from "../../compose/Visits.ts"
import { oneLine } from "../../base/Plain.ts"
import { AgentSessions } from "../../provider/Services/AgentSessions.ts"
import * as AgentVariables from "../agents/AgentVariables.ts"
import { confirm } from "../terminal/Confirm.ts"
import { type CommandFailed, failedWith } from "../terminal/Failure.ts"
import { filterOf, gathered, type Listing, noList } from "./ListSessions.ts"
import * as ServerClient from "../server/ServerClient.ts"
import * as SessionChoice from "./SessionChoice.ts"
import * as StateFolder from "../server/StateFolder.ts"
import * as Terminal from "../terminal/Terminal.ts"

export interface DeleteFlags {
  readonly stateDir: Option.Option<string>
  readonly provider: string
  /** Variables for the agent, each as NAME=VALUE. */
  readonly env: ReadonlyArray<string>
  readonly cwd: Option.Option<string>
  readonly yes: boolean
  readonly session: string
}

/** The sessions that the agent keeps, and how to delete one. */
interface Kept {
  readonly listing: Effect.Effect<Listing, CommandFailed>
  readonly remove: (sessionId: ResumeToken) => Effect.Effect<unknown, CommandFailed>
}

export const deleteSession = Effect.fn("DeleteSession")(function* (flags: DeleteFlags) {
  const directory = yield* StateFolder.of(flags.stateDir)
  // A thread of the running server may hold the session. Then the process that has the session open deletes it. That
  // process doesn't get the variables of `--env`.
  const running = flags.env.length > 0 ? undefined : yield* ServerClient.find(directory)
  if (running !== undefined) return yield* Effect.scoped(Effect.flatMap(ofServer(flags, directory), deletion(flags)))
  const id = ProviderId.make(flags.provider)
  const amended = yield* AgentVariables.amending("sessions delete", directory, id, flags.env)
  yield* Effect.flatMap(ofAgent(flags), deletion(flags)).pipe(Effect.provide(Visits.layer(directory, false, amended)))
})

const ofAgent = Effect.fnUntraced(function* (flags: DeleteFlags) {
  const id = ProviderId.make(flags.provider)
  const agent = yield* AgentSessions
  const kept: Kept = {
    listing: Effect.mapError(gathered(agent.list(id, filterOf(flags), [process.cwd()])), ({ problem }) =>
      failedWith(problem)
    ),
    remove: (sessionId) =>
      Effect.mapError(agent.change(id, sessionId, { type: "delete" }), ({ problem }) => failedWith(problem))
  }
  return kept
})

const ofServer = Effect.fnUntraced(function* (flags: DeleteFlags, directory: string) {
  const providerId = ProviderId.make(flags.provider)
  const server = yield* ServerClient.ofRunning(directory)
  const { client } = server
  const inOurWords = ServerClient.inOurWords(server)
  const kept: Kept = {
    listing: gathered(client.listAgentSessions({ providerId, filter: filterOf(flags) })).pipe(
      Effect.catchTag("Refused", ({ problem }) => failedWith(problem)),
      inOurWords
    ),
    remove: (sessionId) =>
      client.changeAgentSession({ providerId, sessionId, change: { type: "delete" } }).pipe(
        Effect.catchTag("Refused", ({ problem }) => failedWith(problem)),
        inOurWords
      )
  }
  return kept
})

const deletion =
  (flags: DeleteFlags) =>
  ({ listing, remove }: Kept) =>
    Effect.gen(function* () {
      const { abilities, sessions } = yield* listing
      if (abilities?.list !== true) return yield* failedWith(noList(flags.provider))
      const { sessionId, title } = yield* SessionChoice.choose(sessions, "sessions delete", flags.session)
      const name = oneLine(title ?? sessionId, 60)
      yield* confirm({
        command: "sessions delete",
        question: `Delete ${name}? This can't be undone.`,
        yes: flags.yes,
        otherwise: "Nothing was deleted."
      })
      yield* remove(sessionId)
      Terminal.err(`Deleted ${name}.`)
    })
