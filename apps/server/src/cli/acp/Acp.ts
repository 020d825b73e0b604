/** `signalbox acp`: an agent for an editor, on standard input and output. Its sessions are threads of the server. */
import * as AcpAgent from "@signalbox/acp/AcpAgent"
import { ProviderId } from "@signalbox/contracts/Provider"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Stream from "effect/Stream"
import { oneLine } from "../../base/Plain.ts"
import * as StateFolder from "../server/StateFolder.ts"
import { login } from "../signin/SignIn.ts"
import { parseDuration } from "../terminal/Amount.ts"
import { ExitCode } from "../terminal/ExitCode.ts"
import { usage } from "../terminal/Failure.ts"
import { onStdio } from "../terminal/OnStdio.ts"
import * as Terminal from "../terminal/Terminal.ts"
import * as EditorAgent from "./EditorAgent.ts"
import * as ServerLink from "./ServerLink.ts"

export interface AcpFlags {
  readonly stateDir: Option.Option<string>
  readonly provider: Option.Option<string>
  /** Editors add this flag for a sign-in that needs a terminal. */
  readonly signIn: boolean
  readonly serverEndsAfter: string
}

export const acp = Effect.fn("Acp")(function* (flags: AcpFlags) {
  const provider = Option.getOrElse(flags.provider, () => "cursor")
  if (flags.signIn) return yield* login({ stateDir: flags.stateDir, provider, env: [], method: Option.none() })
  const endsAfter = flags.serverEndsAfter
  if (parseDuration(endsAfter) === undefined)
    return yield* usage("acp", `--server-ends-after ${endsAfter} is no length of time; 30s, 10m and 2h are.`)
  const directory = yield* StateFolder.of(flags.stateDir)
  const report = (text: string) => Terminal.err(`signalbox acp: ${oneLine(text, 1000)}`)
  yield* onStdio((bytes) =>
    Effect.gen(function* () {
      const link = yield* ServerLink.make(directory, endsAfter)
      const scope = yield* Effect.scope
      let hasLeft = false
      const left = Effect.sync(() => {
        hasLeft = true
      })
      const options = {
        link,
        provider: ProviderId.make(provider),
        onlyItsThreads: Option.isSome(flags.provider),
        report,
        hasLeft: () => hasLeft
      }
      const transport = { ...bytes, input: Stream.ensuring(bytes.input, left) }
      const agent = yield* AcpAgent.make(transport, EditorAgent.handlers(options, scope))
      // A signal ends requests, too. This runs before they are interrupted.
      yield* Effect.addFinalizer(() => left)
      const { message, reason } = yield* Effect.raceFirst(agent.closed, link.lost)
      if (reason === "InputEnded") return ExitCode.completed
      report(message)
      return ExitCode.failed
    })
  )
})
