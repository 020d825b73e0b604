/**
 * `signalbox run`: one prompt and one turn in a process of its own, without a server and a database. It prints
 * everything that the agent does as it comes. The exit code says how the turn ended.
 */
import type { PromptPart } from "@signalbox/contracts/Content"
import { EventId, ProviderSessionId, type ResumeToken, ThreadId, TurnId } from "@signalbox/contracts/Ids"
import type { Problem } from "@signalbox/contracts/Problem"
import type { ProviderOptions, ProviderRef } from "@signalbox/contracts/Provider"
import type { RuntimeEventOf, TurnOutcome } from "@signalbox/contracts/ProviderRuntimeEvent"
import * as Clock from "effect/Clock"
import * as Data from "effect/Data"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Queue from "effect/Queue"
import * as Result from "effect/Result"
import * as CommandLine from "effect/process/CommandLine"
import { randomUUID } from "node:crypto"
import type { ProviderAdapter } from "../../provider/Services/ProviderAdapter.ts"
import { ProviderAdapterRegistry } from "../../provider/Services/ProviderAdapterRegistry.ts"
import { providerError } from "../../base/ProviderError.ts"
import * as ApprovalPolicy from "./ApprovalPolicy.ts"
import { ExitCode, ofOutcome } from "../terminal/ExitCode.ts"
import { usage } from "../terminal/Failure.ts"
import type { Text } from "../terminal/Ink.ts"
import { overdue } from "../terminal/Overdue.ts"
import { oneLine } from "../../base/Plain.ts"
import type { Printer } from "../terminal/Printer.ts"
import { problemShown } from "../terminal/ProblemText.ts"
import * as RequestDesk from "./RequestDesk.ts"
import * as RunEvents from "./RunEvents.ts"
import type { Memory } from "./Remember.ts"
import { type Choice, choose, inOrder, type Wish } from "./SettingChoice.ts"
import { signals, stopping } from "../terminal/Signals.ts"
import type { Terminal } from "../terminal/Terminal.ts"

export interface RunInput extends SessionInput {
  readonly prompt: ReadonlyArray<PromptPart>
}

export interface SessionInput {
  readonly provider: ProviderRef
  readonly providerOptions: ProviderOptions
  /** Absolute. */
  readonly cwd: string
  readonly wishes: ReadonlyArray<Wish>
  readonly approve: ApprovalPolicy.ApprovalPolicy | "ask"
  /** The rules file in place of all others, absolute. */
  readonly rules?: string
  readonly resume?: ResumeToken
  /** The remembered settings, and where to keep those of this run. */
  readonly memory?: Memory
  /** Milliseconds from the start of the agent to the end of the turn. */
  readonly timeoutMs?: number
  /** The flags that named the agent, for the hint at the end. */
  readonly agentFlags: string
}

/** We ended the run: a signal came, or the time was up. */
class Stopped extends Data.TaggedError("Stopped")<{ readonly by: "signal" | "timeout" }> {}

export const run = Effect.fn("Run.run")(function* (input: RunInput, terminal: Terminal, print: Printer) {
  const adapter = (yield* ProviderAdapterRegistry).get(input.provider.kind)
  const threadId = ThreadId.make(randomUUID())
  const turnId = TurnId.make(randomUUID())
  if (input.approve === "allow") terminal.err({ style: "warning", text: ApprovalPolicy.allowing })
  const turn = { threadId, turnId, cwd: input.cwd, rules: input.rules }
  const desk = yield* RequestDesk.open(adapter, turn, input.approve, terminal)
  const events = yield* RunEvents.follow(adapter, turnId, print, desk)
  const stop = yield* Deferred.make<never, Stopped>()

  /**
   * Prints the last event if no turn began, or if the agent can't report its end. Readers of the events always get one.
   */
  const endWithout = Effect.fnUntraced(function* (outcome: TurnOutcome, problem?: Problem) {
    const event: RuntimeEventOf<"turn.completed"> = {
      type: "turn.completed",
      eventId: EventId.make(randomUUID()),
      providerKind: input.provider.kind,
      providerSessionId: events.session()?.providerSessionId ?? ProviderSessionId.make(randomUUID()),
      threadId,
      at: yield* Clock.currentTimeMillis,
      turnId,
      outcome,
      ...(problem && { problem })
    }
    yield* events.end(event)
    return event
  })

  yield* Effect.forkScoped(
    Effect.gen(function* () {
      const incoming = yield* signals
      yield* Queue.take(incoming)
      terminal.err(stopping)
      yield* Deferred.fail(stop, new Stopped({ by: "signal" }))
      yield* Queue.take(incoming)
      yield* endWithout("cancelled")
      // Agents, and all processes that they started, end with this process.
      process.exit(ExitCode.cancelled)
    })
  )
  const { timeoutMs } = input
  if (timeoutMs !== undefined) {
    const expire = Effect.suspend(() => {
      if (!Deferred.isDoneUnsafe(stop)) events.blame(overdue(timeoutMs, events.progress.waitsFor()))
      return Deferred.fail(stop, new Stopped({ by: "timeout" }))
    })
    yield* Effect.forkScoped(Effect.andThen(Effect.sleep(timeoutMs), expire))
  }

  const completed = yield* begin(adapter, input, threadId, events).pipe(
    Effect.raceFirst(Deferred.await(stop)),
    Effect.tap((choices) => input.memory?.keep(choices) ?? Effect.void),
    Effect.andThen(
      Effect.forkScoped(
        Deferred.await(stop).pipe(
          Effect.catchTag("Stopped", () => adapter.interruptTurn(threadId, turnId)),
          Effect.catchTag("ProviderError", ({ problem }) => Effect.sync(() => terminal.err(problemShown(problem))))
        )
      )
    ),
    Effect.andThen(adapter.sendTurn(threadId, { turnId, prompt: input.prompt })),
    Effect.andThen(events.ended),
    Effect.catchTags({
      ProviderError: ({ problem }) => endWithout("failed", problem),
      Stopped: () => endWithout("cancelled")
    })
  )
  yield* adapter.stopSession(threadId)

  // A session that never got the prompt has nothing to resume.
  const session = events.progress.prompted() ? events.session() : undefined
  if (session !== undefined) terminal.err(hint(input, session.resumeToken))
  const stopped = yield* stopReason(stop)
  if (stopped === undefined || completed.outcome === "completed") return ofOutcome(completed.outcome, completed.problem)
  return stopped === "timeout" ? ExitCode.timedOut : ExitCode.cancelled
})

/** Starts a session, or resumes the one that was named, and applies every setting. Prints what was set. */
export const begin = Effect.fnUntraced(function* (
  adapter: ProviderAdapter,
  input: SessionInput,
  threadId: ThreadId,
  events: RunEvents.RunEvents
) {
  const { cwd, memory, provider, providerOptions, resume } = input
  // A resumed session has its own settings.
  const remembered = resume === undefined ? (memory?.chosen ?? []) : []
  yield* adapter.startSession({
    threadId,
    provider,
    providerOptions,
    cwd,
    ...(resume !== undefined && { resume }),
    knownPrompts: [],
    settings: Object.fromEntries(remembered.map(({ settingId, value }) => [settingId, value]))
  })
  const session = yield* events.started
  if (resume !== undefined && session.origin === "replaced") {
    const why = session.problem === undefined ? "" : ` ${session.problem.title} ${session.problem.cause}`
    return yield* providerError(
      "session-not-found",
      `${provider.name} could not resume session ${resume}.`,
      `The prompt was not sent, since it would have been the first of a new session.${why}`,
      {
        evidence: session.problem?.evidence ?? {},
        nextSteps: [
          { action: "run-command", label: "Check the session's name and --cwd, or begin a new one without --resume" }
        ]
      }
    )
  }
  const choices: Array<Choice> = []
  for (const wish of inOrder(input.wishes)) {
    // Each change may change the other settings, so each wish is looked up in the current ones.
    const choice = choose(events.settings(), wish)
    if (Result.isFailure(choice)) return yield* usage("run", choice.failure.message, choice.failure.offered)
    yield* adapter.setSetting(threadId, choice.success.settingId, choice.success.value)
    choices.push(choice.success)
  }
  return choices
})

const stopReason = (stop: Deferred.Deferred<never, Stopped>) =>
  Effect.suspend(() =>
    Deferred.isDoneUnsafe(stop)
      ? Effect.catchTag(Deferred.await(stop), "Stopped", ({ by }) => Effect.succeed(by))
      : Effect.undefined
  )

const hint = ({ agentFlags, provider }: RunInput, token: ResumeToken): Text => ({
  whole: true,
  text: `session: ${oneLine(token, 400)}\nTo go on with ${oneLine(provider.name)}: signalbox run ${agentFlags}--resume ${CommandLine.display([token])} "…"`
})
