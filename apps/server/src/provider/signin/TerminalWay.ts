/** Signs in where the agent's program asks in a terminal. A new start of the agent shows whether it worked. */
import type { SignInId } from "@signalbox/contracts/Ids"
import type { TerminalSize } from "@signalbox/contracts/SignIn"
import type { SignInMethod } from "@signalbox/contracts/SignInMethod"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Queue from "effect/Queue"
import * as Stream from "effect/Stream"
import { homedir } from "node:os"
import type { ProcessLedger } from "@signalbox/process/ProcessLedger"
import { linkFrames } from "../acp/connection/SignInText.ts"
import * as TerminalMethod from "../acp/connection/TerminalMethod.ts"
import type { AgentVisit } from "../acp/visits/AgentVisit.ts"
import type { AgentVisits } from "../acp/visits/AgentVisits.ts"
import * as TerminalSignIn from "../acp/visits/TerminalSignIn.ts"
import type { ProviderCatalog } from "../Services/ProviderCatalog.ts"
import * as LoginState from "./LoginState.ts"
import type { SignInFrames } from "./SignInFrames.ts"
import type { SignInInputs } from "./SignInInputs.ts"
import * as SignInProblems from "./SignInProblems.ts"

/** Longest sign-in. People need time to find their browser, their password and their telephone. */
const limit = Duration.minutes(15)

export interface Dependencies {
  readonly visits: AgentVisits["Service"]
  readonly ledger: ProcessLedger["Service"]
  readonly catalog: ProviderCatalog["Service"]
  readonly inputs: SignInInputs
}

export const signIn = Effect.fnUntraced(function* (
  { catalog, inputs, ledger, visits }: Dependencies,
  visit: AgentVisit,
  method: SignInMethod,
  terminal: TerminalSize | "inherit",
  frames: SignInFrames,
  signInId: SignInId
) {
  const offered = visit.agent.authMethods?.find(({ id }) => id === method.id)
  const run = offered === undefined ? undefined : TerminalMethod.of(offered, visit.launch)
  if (run === undefined) return yield* SignInProblems.notOffered(visit, method.id)
  if (visit.launch.remote !== undefined) {
    return yield* SignInProblems.failed(visit, method, "It runs elsewhere: its program can't be run here.")
  }
  // Its program would run with all rights, with arguments that the agent has chosen.
  if (visit.isSandboxed) {
    return yield* SignInProblems.failed(visit, method, "It runs in a sandbox, where no program has a terminal.")
  }
  const options = {
    name: visit.profile.name,
    launch: run.launch,
    cwd: homedir(),
    ledger,
    command: method.command ?? ""
  }
  const exitCode =
    terminal === "inherit"
      ? yield* TerminalSignIn.inherit(options)
      : yield* inTerminal(options, terminal, frames, inputs, signInId).pipe(
          Effect.timeoutOrElse({
            duration: limit,
            orElse: () => SignInProblems.failed(visit, method, "Nobody finished within 15 minutes.")
          })
        )
  if (exitCode !== 0) {
    const how = exitCode === undefined ? "Its program was ended." : `Its program exited with code ${exitCode}.`
    return yield* SignInProblems.failed(visit, method, how)
  }
  yield* visits.renew(visit.provider)
  const anew = yield* visits.visit(visit.provider)
  if ((yield* LoginState.noteAfter(catalog, anew, LoginState.signedInBy(method.name))) === "signed-out") {
    return yield* SignInProblems.failed(
      visit,
      method,
      "Its program ended well, and still says that nobody is signed in."
    )
  }
}, Effect.scoped)

/**
 * Runs the program in a pseudo-terminal that people see and type into. Completes with its exit code, which is undefined
 * after a signal.
 */
const inTerminal = Effect.fnUntraced(function* (
  options: TerminalSignIn.Options,
  size: TerminalSize,
  frames: SignInFrames,
  inputs: SignInInputs,
  signInId: SignInId
) {
  const pty = yield* TerminalSignIn.start(options, size)
  yield* inputs.listen(signInId, (input) =>
    Effect.sync(() => {
      if (input.type === "keys") pty.write(input.data)
      if (input.type === "resize") pty.resize(input.size)
    })
  )
  const links = linkFrames()
  yield* Stream.runForEach(pty.output, (data) =>
    Effect.andThen(
      Queue.offer(frames, { type: "output", data }),
      Effect.suspend(() => Queue.offerAll(frames, links(data)))
    )
  )
  const { exitCode, signal } = yield* pty.exited
  return signal === undefined ? exitCode : undefined
})
