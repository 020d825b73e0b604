/** `signalbox nes copilot`: Copilot's language server as an agent for suggestions, on standard input and output. */
import { RpcError } from "@signalbox/acp/JsonRpc"
import * as PipedProcess from "@signalbox/process/PipedProcess"
import { ProcessLedger } from "@signalbox/process/ProcessLedger"
import * as ProcessLedgerLayer from "@signalbox/process/ProcessLedgerLayer"
import * as Secrets from "@signalbox/redaction/Secrets"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Result from "effect/Result"
import { oneLine } from "../../base/Plain.ts"
import { agentsIn } from "../../base/StateDirectory.ts"
import * as CopilotAgent from "../../copilot/CopilotAgent.ts"
import type { Started } from "../../copilot/CopilotServer.ts"
import * as CommandWords from "@signalbox/process/CommandWords"
import * as StateFolder from "../server/StateFolder.ts"
import { ExitCode } from "../terminal/ExitCode.ts"
import { usage } from "../terminal/Failure.ts"
import { onStdio } from "../terminal/OnStdio.ts"
import * as Terminal from "../terminal/Terminal.ts"

export interface CopilotFlags {
  readonly server: string
}

/** It has ended 5 seconds after our client has left. */
const stopGrace = { closeInput: "1500 millis", terminate: "1 second" } as const

const say = (words: string): void => Terminal.err(oneLine(words, 2000))

export const copilot = Effect.fn("Nes.copilot")(function* ({ server }: CopilotFlags) {
  const [command, ...args] = yield* Effect.fromResult(
    Result.mapError(CommandWords.split(server), (why) =>
      usage("nes copilot", `--server ${JSON.stringify(server)}: ${why}.`)
    )
  )
  if (command === undefined) return yield* usage("nes copilot", "--server names no program.")
  const directory = yield* StateFolder.of(Option.none())
  const run = Effect.gen(function* () {
    const ledger = yield* ProcessLedger
    const start = PipedProcess.start({
      program: { command, args, env: {} },
      ledger,
      cwd: process.cwd(),
      secrets: Secrets.of(process.env),
      stopGrace,
      onStderr: (line) => say(`copilot: ${line}`)
    }).pipe(
      // Its last messages are read before it ends.
      Effect.tap(({ stop }) => Effect.addFinalizer(() => stop)),
      Effect.map(startedOf),
      Effect.mapError(({ message }) => RpcError.internal(message))
    )
    return yield* onStdio(
      Effect.fnUntraced(function* (bytes) {
        const lost = yield* Deferred.make<number>()
        // Whoever has started us starts a new one. Without the language server there is nothing to do here.
        const onLost = (why: string) =>
          Effect.asVoid(
            Effect.andThen(
              Effect.sync(() => say(why)),
              Deferred.succeed(lost, ExitCode.failed)
            )
          )
        const { closed } = yield* CopilotAgent.make(bytes, { start, say, onLost })
        return yield* Effect.raceFirst(Effect.as(closed, ExitCode.completed), Deferred.await(lost))
      })
    )
  })
  yield* Effect.provide(run, ProcessLedgerLayer.layer({ folder: agentsIn(directory), unrecorded: "start" }))
})

const startedOf = ({ exited, transport }: PipedProcess.PipedProcess): Started => ({
  bytes: transport,
  ended: Effect.map(exited, ({ exitCode, signal, stderrTail }) => {
    const last = stderrTail.at(-1)
    const words = last === undefined ? "" : `. It said: ${last}`
    return `Copilot's language server has ended: ${signal ?? `exit code ${exitCode}`}${words}`
  })
})
