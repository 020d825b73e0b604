/** `signalbox sessions delete`. */
import { ProviderId } from "@signalbox/contracts/Provider"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Visits from "../compose/Visits.ts"
import { oneLine } from "../Plain.ts"
import { AgentSessions } from "../provider/Services/AgentSessions.ts"
import * as AgentVariables from "./AgentVariables.ts"
import { confirm } from "./Confirm.ts"
import { failedWith } from "./Failure.ts"
import { filterOf, gathered, noList } from "./ListSessions.ts"
import * as SessionChoice from "./SessionChoice.ts"
import * as StateFolder from "./StateFolder.ts"
import * as Terminal from "./Terminal.ts"

export interface DeleteFlags {
  readonly stateDir: Option.Option<string>
  readonly provider: string
  /** Variables for the agent, of the form NAME=VALUE each. */
  readonly env: ReadonlyArray<string>
  readonly cwd: Option.Option<string>
  readonly yes: boolean
  readonly session: string
}

export const deleteSession = Effect.fn("DeleteSession")(function* (flags: DeleteFlags) {
  const directory = yield* StateFolder.of(flags.stateDir)
  const id = ProviderId.make(flags.provider)
  const amended = yield* AgentVariables.amending("sessions delete", directory, id, flags.env)
  yield* deletion(flags).pipe(
    Effect.catchTag("ProviderError", ({ problem }) => failedWith(problem)),
    Effect.provide(Visits.layer(directory, false, amended))
  )
})

const deletion = Effect.fnUntraced(function* (flags: DeleteFlags) {
  const id = ProviderId.make(flags.provider)
  const agent = yield* AgentSessions
  const { abilities, sessions } = yield* gathered(agent.list(id, filterOf(flags)))
  if (abilities?.list !== true) return yield* failedWith(noList(flags.provider))
  const { sessionId, title } = yield* SessionChoice.choose(sessions, "sessions delete", flags.session)
  const name = oneLine(title ?? sessionId, 60)
  yield* confirm({
    command: "sessions delete",
    question: `Delete ${name}? This can't be undone.`,
    yes: flags.yes,
    otherwise: "Nothing was deleted."
  })
  yield* agent.change(id, sessionId, { type: "delete" })
  Terminal.err(`Deleted ${name}.`)
})
