/** Takes the commands of a thread, each once: looks up the facts, decides, and commits events and receipt together. */
import { type CommandEnvelope, CommandRejected, type Receipt } from "@signalbox/contracts/Command"
import type { PromptPart } from "@signalbox/contracts/Content"
import type { ThreadId } from "@signalbox/contracts/Ids"
import type { Problem } from "@signalbox/contracts/Problem"
import type { ProviderOptions } from "@signalbox/contracts/Provider"
import type { OrchestrationEvent } from "@signalbox/contracts/ThreadEvent"
import type { ThreadHead } from "@signalbox/contracts/ThreadView"
import { decide } from "@signalbox/threads/Decider"
import type { Facts } from "@signalbox/threads/Decision"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import * as Semaphore from "effect/Semaphore"
import * as AnswerWords from "../audit/AnswerWords.ts"
import { AuditLog } from "../audit/AuditLog.ts"
import { patternTest } from "../base/PatternMatch.ts"
import { ProviderService } from "../provider/Services/ProviderService.ts"
import type { StorageError } from "../storage/StorageError.ts"
import { type SentPrompt, type ThreadCommit, ThreadStore } from "../storage/ThreadStore.ts"
import { digestOf } from "./CommandDigest.ts"
import type * as ThreadLog from "./ThreadLog.ts"

/** The facts that the host looks up. */
export type GivenFacts = Pick<Facts, "creation" | "remembered" | "client">

export interface ThreadCommands {
  /** Takes a command once; see `Threads.send`. */
  readonly handle: (envelope: CommandEnvelope, facts: GivenFacts) => Effect.Effect<Receipt, CommandRejected>
}

interface Options {
  readonly threadId: ThreadId
  readonly lane: Semaphore.Semaphore
  readonly head: () => ThreadHead | undefined
  readonly isLeaving: () => boolean
  /** The transcript as a part of a prompt; undefined if nothing was said. */
  readonly transcript: () => PromptPart | undefined
  /** Hears the options of the agent of a thread that is created. */
  readonly created: (options: ProviderOptions) => void
  readonly commit: (
    events: ReadonlyArray<OrchestrationEvent>,
    receipt: ThreadLog.ReceiptOf,
    sent?: SentPrompt
  ) => Effect.Effect<ThreadCommit, StorageError>
}

export const make = Effect.fnUntraced(function* ({
  commit,
  created,
  head,
  isLeaving,
  lane,
  threadId,
  transcript
}: Options): Effect.fn.Return<ThreadCommands, never, ProviderService | ThreadStore> {
  const store = yield* ThreadStore
  const provider = yield* ProviderService
  const audit = yield* AuditLog

  const factsOf = Effect.fnUntraced(function* (command: CommandEnvelope["command"], given: GivenFacts, now: number) {
    const turnKnown = "turnId" in command && (yield* store.hasTurn(threadId, command.turnId))
    const noRollback = whyNoRollback(head(), provider)
    const said = command.type === "queue.hold" && command.transcript ? transcript() : undefined
    const facts: Facts = {
      ...given,
      threadId,
      now,
      patternTest,
      turnKnown,
      ...(said !== undefined && { transcript: said }),
      ...(noRollback !== undefined && { noRollback })
    }
    return facts
  })

  const noteRefusal = (
    { requestId, response }: Extract<CommandEnvelope["command"], { readonly type: "request.respond" }>,
    { client }: GivenFacts,
    at: number,
    { cause, title }: Problem
  ): void =>
    void audit.record(
      {
        type: "refusal",
        at,
        requestId,
        threadId,
        answer: AnswerWords.wordsOf(response),
        ...(client !== undefined && { client }),
        why: `${title} ${cause}`
      },
      "later"
    )

  const handle: ThreadCommands["handle"] = Effect.fn("ThreadActor.handle")(
    function* (envelope: CommandEnvelope, given: GivenFacts) {
      const { command, commandId } = envelope
      if (isLeaving()) return yield* reject(envelope, noSuchThread(threadId))
      const digest = digestOf(command)
      const earlier = yield* store.receipt(threadId, commandId)
      if (earlier?.digest !== undefined && earlier.digest !== digest) return yield* reject(envelope, usedId)
      if (earlier?.problem) return yield* reject(envelope, earlier.problem)
      if (earlier) return { commandId, sequence: earlier.sequence }

      const at = yield* Clock.currentTimeMillis
      const decision = decide(head(), command, yield* factsOf(command, given, at))
      if (Result.isFailure(decision)) {
        yield* commit([], { commandId, digest, at, problem: decision.failure })
        if (command.type === "request.respond") noteRefusal(command, given, at, decision.failure)
        return yield* reject(envelope, decision.failure)
      }
      if (command.type === "thread.create") created(command.providerOptions ?? {})
      const { receipt } = yield* commit(decision.success, { commandId, digest, at }, sentBy(command, at))
      if (receipt === undefined) return yield* Effect.die(new Error(`The command ${commandId} has no receipt.`))
      return { commandId, sequence: receipt.sequence }
    },
    (effect, envelope) => Effect.catchTag(effect, "StorageError", (error) => reject(envelope, error.problem)),
    Semaphore.withPermit(lane),
    Effect.uninterruptible
  )

  return { handle }
})

/** The prompt of a command, if it was made from the draft of its thread. */
const sentBy = (command: CommandEnvelope["command"], at: number): SentPrompt | undefined =>
  command.type === "turn.start" && command.draft !== undefined
    ? { turnId: command.turnId, draft: command.draft, at }
    : undefined

const reject = ({ commandId }: CommandEnvelope, problem: Problem) => new CommandRejected({ commandId, problem })

const noSuchThread = (threadId: ThreadId): Problem => ({
  code: "command-invalid",
  title: "There is no such thread.",
  cause: `No thread is called ${threadId}.`,
  evidence: {},
  nextSteps: []
})

const usedId: Problem = {
  code: "command-invalid",
  title: "This command id was used for something else.",
  cause: "A command is sent again with the same id and the same content; another command needs an id of its own.",
  evidence: {},
  nextSteps: []
}

const whyNoRollback = (head: ThreadHead | undefined, provider: ProviderService["Service"]): string | undefined => {
  if (head === undefined) return undefined
  const { rollback } = head.session.capabilities ?? provider.adapterOf(head.provider).capabilities
  return rollback.supported ? undefined : rollback.reason
}
