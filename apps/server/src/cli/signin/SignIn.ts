/** `signalbox login` and `signalbox logout`. */
import type { AgentRequest } from "@signalbox/contracts/AgentRequest"
import type { SignInId } from "@signalbox/contracts/Ids"
import type { Problem } from "@signalbox/contracts/Problem"
import type { SignInFrame, SignInState } from "@signalbox/contracts/SignIn"
import type { SignInMethod } from "@signalbox/contracts/SignInMethod"
import { ProviderId } from "@signalbox/contracts/Provider"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Queue from "effect/Queue"
import * as Stream from "effect/Stream"
import * as Visits from "../../compose/Visits.ts"
import { oneLine, plain } from "../../base/Plain.ts"
import * as TerminalSignIn from "../../provider/acp/visits/TerminalSignIn.ts"
import { SignIns } from "../../provider/Services/SignIns.ts"
import * as AgentVariables from "../agents/AgentVariables.ts"
import * as Ask from "../terminal/Ask.ts"
import { choose } from "../terminal/Choice.ts"
import { failedWith, usage } from "../terminal/Failure.ts"
import { signals } from "../terminal/Signals.ts"
import * as Terminal from "../terminal/Terminal.ts"
import * as StateFolder from "../server/StateFolder.ts"

export interface SignInFlags {
  readonly stateDir: Option.Option<string>
  readonly provider: string
  /** Variables for the agent, each as NAME=VALUE. */
  readonly env: ReadonlyArray<string>
}

export interface LoginFlags extends SignInFlags {
  readonly method: Option.Option<string>
}

const onAgents = Effect.fnUntraced(function* <A, E, R>(
  command: string,
  { env, provider, stateDir }: SignInFlags,
  use: Effect.Effect<A, E, R>
) {
  const directory = yield* StateFolder.of(stateDir)
  const amended = yield* AgentVariables.amending(command, directory, ProviderId.make(provider), env)
  return yield* Effect.provide(use, Visits.layer(directory, process.stdin.isTTY && process.stdout.isTTY, amended))
})

export const login = Effect.fn("Login")(function* (flags: LoginFlags) {
  const terminal = Terminal.ofProcess(() => {})
  yield* onAgents("login", flags, loggingIn(flags, terminal)).pipe(
    Effect.catchTag("ProviderError", ({ problem }) => failedWith(problem))
  )
})

/** Ends with a signal such as Ctrl-C. While the agent's program uses the terminal, Ctrl-C is meant for that program. */
const givenUp = Effect.gen(function* () {
  const queue = yield* signals
  while (true) {
    const signal = yield* Queue.take(queue)
    if (signal !== "SIGINT" || !TerminalSignIn.isLent()) return yield* Effect.interrupt
  }
}).pipe(Effect.scoped)

const loggingIn = Effect.fnUntraced(function* (flags: LoginFlags, terminal: Terminal.Terminal) {
  const id = ProviderId.make(flags.provider)
  const signIns = yield* SignIns
  const state = yield* signIns.state(id)
  if (state.state === "not-needed") return terminal.err(`${id} needs nobody to sign in.`)
  if (state.state === "signed-in" && Option.isNone(flags.method)) {
    return terminal.err(`Signed in already${accountsOf(state)}. To do it again, name a way: --method ID`)
  }
  if (state.offer.methods.length === 0 && Option.isNone(flags.method)) {
    return yield* failedWith(noWay(flags.provider, terminal, yield* signIns.refusal(id)))
  }
  const method = yield* methodOf(flags, state, terminal)
  if (method.type === "terminal" && !terminal.canAsk) {
    const byHand = method.command === undefined ? [] : [oneLine(method.command, 2_000)]
    return yield* usage("login", `“${oneLine(method.name)}” needs a terminal, and there is none here.`, byHand)
  }
  let problem: Problem | undefined
  let signInId: SignInId | undefined
  let accepted = false
  const signing = Stream.runForEach(signIns.signIn(id, method.id, "inherit"), (frame) => {
    if (frame.type === "failed") ({ problem } = frame)
    if (frame.type === "done") accepted = frame.accepted === true
    if (frame.type === "started") ({ signInId } = frame)
    if (frame.type !== "requested" || signInId === undefined) return tell(terminal, frame)
    return answered(signIns, signInId, frame.request, terminal)
  })
  yield* Effect.raceFirst(signing, givenUp)
  if (problem !== undefined) return yield* failedWith(problem)
  terminal.err(accepted ? acceptedText(id, method) : `Signed in to ${id}.`)
})

/** Some agents accept a method and do nothing. Its description says what people have to do. */
const acceptedText = (id: string, { description, name }: SignInMethod): string => {
  const asks = description === undefined ? "" : `\n  It says of it: ${oneLine(description, 400)}`
  return `${id} accepted “${oneLine(name)}”, and does not report whether you are signed in.${asks}`
}

/** Answers a question of the agent. If nobody can be asked, the agent gets a refusal, since it would wait forever. */
const answered = Effect.fnUntraced(function* (
  signIns: SignIns["Service"],
  signInId: SignInId,
  request: AgentRequest,
  terminal: Terminal.Terminal
) {
  const answer = terminal.canAsk ? yield* Ask.ask(terminal, request, process.cwd()) : undefined
  const { requestId } = request
  yield* signIns.input(signInId, { type: "answer", requestId, response: answer?.response ?? { type: "reject" } }).pipe(
    Effect.as(answer === undefined ? undefined : `  sent to the agent: ${answer.chosen}`),
    Effect.catchTag("SignInOver", () => Effect.succeed("  not sent: the agent waits for this answer no longer")),
    Effect.map((words) => (words === undefined ? undefined : terminal.aside(words)))
  )
})

const tell = (terminal: Terminal.Terminal, frame: SignInFrame): Effect.Effect<void> =>
  Effect.sync(() => {
    if (frame.type === "started") terminal.aside(`Signing in: ${oneLine(frame.method.name)}`)
    if (frame.type === "text") terminal.err(plain(frame.line))
    if (frame.type === "waiting") terminal.aside(`${plain(frame.message)} Ctrl-C gives up.`)
  })

const methodOf = Effect.fnUntraced(function* (
  { method: named, provider }: LoginFlags,
  { offer: { methods } }: SignInState,
  terminal: Terminal.Terminal
) {
  const offered = methods.map(({ id, name }) => `--method ${oneLine(id)}  ${oneLine(name)}`)
  if (Option.isSome(named)) {
    const method = methods.find(({ id }) => id === named.value)
    return (
      method ?? (yield* usage("login", `${provider} offers no way ${JSON.stringify(named.value)}. It offers:`, offered))
    )
  }
  const [only] = methods
  if (only !== undefined && methods.length === 1) return only
  if (!terminal.canAsk) return yield* usage("login", `${provider} offers several ways. Name one:`, offered)
  terminal.err(`How do you want to sign in to ${provider}?`)
  const chosen = yield* choose(terminal, methods.map(labelOf))
  const method = chosen === undefined ? undefined : methods[chosen]
  return method ?? (yield* Effect.interrupt)
})

const labelOf = ({ description, name }: SignInMethod): string =>
  description === undefined ? name : `${name}: ${description}`

const accountsOf = ({ accounts }: SignInState): string =>
  accounts.length === 0 ? "" : ` as ${accounts.map((account) => oneLine(account)).join(", ")}`

/** The reason that nobody can sign in here. If the agent refuses a session, its own words are quoted. */
const noWay = (provider: string, { canAsk }: Terminal.Terminal, refusal: Problem | undefined): Problem => {
  const said = refusal?.nextSteps.filter(({ action }) => action === "run-command") ?? []
  return {
    code: refusal?.code ?? "unsupported",
    title: `${provider} offers no way to sign in.`,
    cause:
      refusal?.cause ??
      "It named none when it was started. Its own documentation says whether you have to sign in, and how.",
    evidence: {},
    // Steps that need a terminal are offered only if there is one.
    nextSteps:
      canAsk || said.length > 0
        ? said
        : [{ action: "run-command", label: "Run this in a terminal: some agents sign people in there only" }]
  }
}

export const logout = Effect.fn("Logout")(function* (flags: SignInFlags) {
  const id = ProviderId.make(flags.provider)
  yield* onAgents(
    "logout",
    flags,
    Effect.flatMap(SignIns, (signIns) => signIns.signOut(id))
  ).pipe(Effect.catchTag("ProviderError", ({ problem }) => failedWith(problem)))
  Terminal.err(`Signed out of ${id}.`)
})
