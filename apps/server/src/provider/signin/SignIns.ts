/** Signs in to agents in the ways that they offer, each attempt on a visit of its own. */
import { SignInId } from "@signalbox/contracts/Ids"
import type { Problem } from "@signalbox/contracts/Problem"
import type { SignInFrame, SignInInput, SignInState, TerminalSize } from "@signalbox/contracts/SignIn"
import { SignInOver } from "@signalbox/contracts/SignIn"
import type { SignInMethod } from "@signalbox/contracts/SignInMethod"
import type { ProviderId } from "@signalbox/contracts/Provider"
import * as Cause from "effect/Cause"
import * as Clock from "effect/Clock"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Queue from "effect/Queue"
import * as Result from "effect/Result"
import type * as Scope from "effect/Scope"
import * as Stream from "effect/Stream"
import { homedir } from "node:os"
import { stripped } from "../../base/Plain.ts"
import type { AgentVisit } from "../acp/visits/AgentVisit.ts"
import { AgentVisits } from "../acp/visits/AgentVisits.ts"
import { loginOf, whoOf } from "../acp/connection/AuthStatus.ts"
import * as ElicitationRequests from "../acp/requests/ElicitationRequests.ts"
import { linksIn } from "../acp/connection/Links.ts"
import * as OpenRequests from "../acp/requests/OpenRequests.ts"
import { abilitiesOf, canSignOut } from "../acp/connection/SessionAbilities.ts"
import { linkFrames, textFrames } from "../acp/connection/SignInText.ts"
import * as TerminalMethod from "../acp/connection/TerminalMethod.ts"
import * as TerminalSignIn from "../acp/visits/TerminalSignIn.ts"
import { ProcessLedger } from "../../process/ProcessLedger.ts"
import { type LoginCheck, ProviderCatalog } from "../Services/ProviderCatalog.ts"
import { ProviderError, providerError } from "../../base/ProviderError.ts"
import { SignedIn } from "../Services/SignedIn.ts"
import { SignIns } from "../Services/SignIns.ts"

/** People have to find their browser, their password and their telephone. */
const limit = Duration.minutes(5)
const terminalLimit = Duration.minutes(15)
/** After this a person is told what is waited for. */
const patience = Duration.seconds(10)

type Frames = Queue.Enqueue<SignInFrame, Cause.Done>

const make = Effect.gen(function* () {
  const visits = yield* AgentVisits
  const ledger = yield* ProcessLedger
  const signedIn = yield* SignedIn
  const catalog = yield* ProviderCatalog
  const attempts = new Map<SignInId, (input: SignInInput) => Effect.Effect<void, ProviderError>>()

  /** What the agent says, for the list of agents too. */
  const observed = (id: ProviderId, visit: AgentVisit) =>
    Effect.tap(stateOf(id, visit), (state) => {
      const login = loginOf(state)
      return login === undefined ? Effect.void : catalog.noteLogin(id, login)
    })

  /** Notes the login after something was done. If the agent does not report it, `otherwise` is what is known. */
  const noteAfter = (id: ProviderId, visit: AgentVisit, otherwise: LoginCheck) =>
    observed(id, visit).pipe(
      Effect.map(({ state }) => state),
      // It was done, whatever becomes of this question.
      Effect.orElseSucceed(() => "unknown" as const),
      Effect.tap((state) => (state === "unknown" ? catalog.noteLogin(id, otherwise) : Effect.void))
    )

  // What agents say of it in the middle of their sessions.
  yield* Effect.forkScoped(
    Stream.runForEach(signedIn.told, ({ id, who }) => {
      const login = loginOf(who)
      return login === undefined ? Effect.void : catalog.noteLogin(id, login)
    })
  )

  const state = Effect.fn("SignIns.state")(function* (id: ProviderId) {
    return yield* observed(id, yield* visits.visit(id))
  }, Effect.scoped)

  /** The agent does it by itself, and answers when it is done. */
  const byAgent = Effect.fnUntraced(function* (visit: AgentVisit, method: SignInMethod, frames: Frames) {
    const { id, name } = method
    const slow = Queue.offer(frames, {
      type: "waiting",
      message: `${visit.profile.name} has not answered yet whether “${name}” worked. It may be waiting for you in a browser.`,
      afterMs: Duration.toMillis(patience),
      limitMs: Duration.toMillis(limit)
    })
    yield* Effect.forkScoped(Effect.delay(slow, patience))
    yield* visit.ask("authenticate", visit.client.authenticate({ methodId: id }), limit)
    const state = yield* noteAfter(visit.provider, visit, acceptedAs(name))
    if (state === "signed-out") {
      return yield* failed(visit, method, "The agent accepted it, and still says that nobody is signed in.")
    }
    return state
  }, Effect.scoped)

  /** Its program asks in a terminal; whether that worked, it says when it is started again. */
  const byTerminal = Effect.fnUntraced(function* (
    visit: AgentVisit,
    method: SignInMethod,
    terminal: TerminalSize | "inherit",
    frames: Frames,
    signInId: SignInId
  ) {
    const { name } = visit.profile
    const offered = visit.agent.authMethods?.find(({ id }) => id === method.id)
    const run = offered === undefined ? undefined : TerminalMethod.of(offered, visit.launch)
    if (run === undefined) return yield* notOffered(visit, method.id)
    if (visit.launch.remote !== undefined) {
      return yield* failed(visit, method, "It runs elsewhere: its program can't be run here.")
    }
    const options = {
      name,
      launch: run.launch,
      cwd: homedir(),
      ledger,
      command: method.command ?? ""
    }
    const exitCode =
      terminal === "inherit"
        ? yield* TerminalSignIn.inherit(options)
        : yield* Effect.gen(function* () {
            const pty = yield* TerminalSignIn.start(options, terminal)
            attempts.set(signInId, (input) =>
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
          }).pipe(
            Effect.timeoutOrElse({
              duration: terminalLimit,
              orElse: () => failed(visit, method, "Nobody finished within 15 minutes.")
            })
          )
    if (exitCode !== 0) {
      return yield* failed(
        visit,
        method,
        exitCode === undefined ? "Its program was ended." : `Its program exited with code ${exitCode}.`
      )
    }
    yield* visits.renew(visit.provider)
    const state = yield* noteAfter(visit.provider, yield* visits.visit(visit.provider), signedInBy(method.name))
    if (state === "signed-out") {
      return yield* failed(visit, method, "Its program ended well, and still says that nobody is signed in.")
    }
  }, Effect.scoped)

  const attempt = Effect.fnUntraced(function* (
    id: ProviderId,
    methodId: string,
    terminal: TerminalSize | "inherit",
    frames: Frames
  ): Effect.fn.Return<SignInFrame, ProviderError, Scope.Scope> {
    const signInId = SignInId.make(crypto.randomUUID())
    const emit = emitter(frames)
    const clock = yield* Clock.Clock
    const requests = OpenRequests.make({
      now: () => clock.currentTimeMillisUnsafe(),
      emit: (...drafts) => {
        for (const draft of drafts) {
          if (draft.type === "runtime.warning") emit({ type: "text", line: draft.message })
          if (draft.type === "elicitation.requested") emit({ type: "requested", request: draft.request })
          if (draft.type === "elicitation.resolved")
            emit({ type: "resolved", requestId: draft.requestId, outcome: draft.outcome })
        }
      },
      isCancelling: () => false,
      isOver: () => false,
      look: () => Effect.die("A visit asks for no permission"),
      decide: () => undefined,
      onDecided: () => {}
    })
    yield* Effect.acquireRelease(
      Effect.sync(() =>
        attempts.set(signInId, (input) =>
          input.type === "answer" ? requests.respond(input.requestId, input.response) : Effect.void
        )
      ),
      () => Effect.sync(() => attempts.delete(signInId))
    )
    const { provider } = yield* catalog.get(id)
    const visit = yield* visits.alone(id, {
      onText: textFrames(emit),
      elicitation: ElicitationRequests.make({
        name: provider.name,
        requests,
        ask: (draft) => requests.ask(draft, {}),
        during: () => "authenticate",
        warn: (line) => emit({ type: "text", line })
      })
    })
    const method = visit.profile.signIn?.methods.find((one) => one.id === methodId)
    if (method === undefined) return yield* notOffered(visit, methodId)
    yield* Queue.offer(frames, { type: "started", signInId, method })
    if (method.type === "env_var") return yield* variablesMissing(visit, method)
    if (method.type === "unknown" && method.command !== undefined) return yield* onlyByHand(visit, method)
    let known = true
    if (method.type === "terminal") yield* byTerminal(visit, method, terminal, frames, signInId)
    else known = (yield* byAgent(visit, method, frames)) !== "unknown"
    yield* visits.renew(id)
    yield* signedIn.note(id, method.type === "terminal" ? undefined : methodId)
    return { type: "done", ...(!known && { accepted: true }) }
  })

  const refusal = Effect.fn("SignIns.refusal")(function* (id: ProviderId) {
    const { agent, ask, client } = yield* visits.visit(id)
    const opening = ask("session/new", client.newSession({ cwd: homedir(), mcpServers: [] }))
    const opened = yield* Effect.result(opening)
    if (Result.isFailure(opened)) return opened.failure.problem
    const { sessionId } = opened.success
    const abilities = abilitiesOf(agent.agentCapabilities)
    if (abilities.delete) yield* Effect.ignore(ask("session/delete", client.deleteSession({ sessionId })))
    else if (abilities.close) yield* Effect.ignore(ask("session/close", client.closeSession({ sessionId })))
    return undefined
  }, Effect.scoped)

  return SignIns.of({
    state,
    refusal,
    signIn: (id, methodId, terminal) =>
      Stream.callback<SignInFrame>(
        (frames) =>
          attempt(id, methodId, terminal, frames).pipe(
            Effect.scoped,
            Effect.matchEffect({
              onSuccess: (done) => Queue.offer(frames, done),
              onFailure: ({ problem }) =>
                Queue.offerAll(frames, [...linksOf(problem), { type: "failed" as const, problem }])
            }),
            Effect.andThen(Queue.end(frames))
          ),
        { bufferSize: 64 }
      ),
    input: (signInId, input) =>
      Effect.suspend(
        (): Effect.Effect<void, SignInOver | ProviderError> =>
          attempts.get(signInId)?.(input) ?? Effect.fail(new SignInOver({ signInId }))
      ),
    signOut: Effect.fn("SignIns.signOut")(function* (id) {
      const visit = yield* visits.alone(id, {})
      yield* visit.ask("logout", visit.client.logout({}))
      yield* noteAfter(id, visit, { name: "login", state: "attention", detail: "Somebody signed out just now." })
      yield* visits.renew(id)
      yield* signedIn.note(id, undefined)
    }, Effect.scoped)
  })
})

/** What the agent says of it; the accounts are for people to read. */
const stateOf = Effect.fnUntraced(function* (
  id: ProviderId,
  { agent, ask, client, profile }: AgentVisit
): Effect.fn.Return<SignInState, ProviderError> {
  const { agentCapabilities } = agent
  const known = {
    offer: profile.signIn ?? { providerId: id, methods: [] },
    signOut: canSignOut(agentCapabilities)
  }
  const tells = agentCapabilities?.auth?.status
  if (tells === undefined || tells === null) return { ...known, state: "unknown", accounts: [] }
  const status = yield* ask("auth/status", client.authStatus({}))
  return { ...known, ...whoOf(status) }
})

const signedInBy = (method: string): LoginCheck => ({
  name: "login",
  state: "ok",
  detail: `Somebody signed in just now, by “${method}”.`
})

/** That an agent took it says little: some do nothing, and have people run a program instead. */
const acceptedAs = (method: string): LoginCheck => ({
  name: "login",
  state: "ok",
  detail: `It accepted “${method}” just now.`
})

/** Sends a frame without waiting: it takes its place, and comes when it is its turn. */
const emitter =
  (frames: Frames) =>
  (frame: SignInFrame): void =>
    void Effect.runFork(Queue.offer(frames, frame))

/** Agents that could not open a browser say in their error where people are to go. */
const linksOf = ({ evidence: { rpcData = "", rpcMessage = "" } }: Problem): ReadonlyArray<SignInFrame> =>
  [...new Set(linksIn(stripped(`${rpcMessage} ${rpcData}`)))].map((url) => ({ type: "link", url }))

const notOffered = ({ profile }: AgentVisit, methodId: string) =>
  Effect.fail(
    providerError("option-unknown", `${profile.name} offers no such way to sign in.`, `It does not name ${methodId}.`, {
      nextSteps: [{ action: "check-again", label: "Look again which ways it offers" }]
    })
  )

/** It asks again: with the same ways in. */
const failed = ({ profile }: AgentVisit, { command, name }: SignInMethod, cause: string) => {
  const problem: Problem = {
    code: "auth-required",
    title: `“${name}” did not sign you in to ${profile.name}.`,
    cause,
    evidence: {},
    nextSteps: [
      { action: "log-in", label: "Try it again" },
      ...(command === undefined
        ? []
        : [{ action: "run-command" as const, label: "Or do it by hand, in a terminal of yours", command }])
    ],
    ...(profile.signIn !== undefined && { signIn: profile.signIn })
  }
  return Effect.fail(new ProviderError({ problem }))
}

const onlyByHand = ({ profile }: AgentVisit, { command = "", name }: SignInMethod) => {
  const problem: Problem = {
    code: "auth-required",
    title: `${profile.name} has you run a program for “${name}”.`,
    cause: "It is not the program by which the agent is started, so Signalbox does not run it.",
    evidence: {},
    nextSteps: [{ action: "run-command", label: "Run it yourself, in a terminal of yours", command }],
    ...(profile.signIn !== undefined && { signIn: profile.signIn })
  }
  return Effect.fail(new ProviderError({ problem }))
}

const variablesMissing = ({ profile }: AgentVisit, { link, name, vars = [] }: SignInMethod) => {
  const names = vars.map((variable) => variable.name).join(", ")
  const problem: Problem = {
    code: "auth-required",
    title: `${profile.name} takes “${name}” from its environment.`,
    cause: `${names === "" ? "A variable" : names} has to be set before it is started${link === undefined ? "." : `; ${link} says more.`}`,
    evidence: {},
    nextSteps: [{ action: "set-option", label: `Set it in the settings of ${profile.name}, then start it again` }],
    ...(profile.signIn !== undefined && { signIn: profile.signIn })
  }
  return Effect.fail(new ProviderError({ problem }))
}

export const layer = Layer.effect(SignIns, make)
