/**
 * `signalbox threads resume`: releases the held prompts of a thread. If its agent has lost the session, it can send the
 * transcript along.
 */
import { CommandId, type ThreadId } from "@signalbox/contracts/Ids"
import type { Problem } from "@signalbox/contracts/Problem"
import type { ThreadView } from "@signalbox/contracts/ThreadView"
import * as TurnQueue from "@signalbox/threads/TurnQueue"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Stream from "effect/Stream"
import { randomUUID } from "node:crypto"
import * as HandedOver from "../../orchestration/HandedOver.ts"
import { oneLine } from "../../base/Plain.ts"
import { countText } from "../terminal/Amount.ts"
import { failedWith, usage } from "../terminal/Failure.ts"
import * as ServerClient from "../server/ServerClient.ts"
import * as StateFolder from "../server/StateFolder.ts"
import * as Terminal from "../terminal/Terminal.ts"
import * as ThreadRows from "./ThreadRows.ts"

export interface ResumeFlags {
  readonly stateDir: Option.Option<string>
  readonly transcript: boolean
  readonly thread: string
}

export const resumeThread = Effect.fn("ResumeThread")(function* ({ stateDir, thread, transcript }: ResumeFlags) {
  const server = yield* ServerClient.ofRunning(yield* StateFolder.of(stateDir))
  const inOurWords = ServerClient.inOurWords(server)
  const { threadId } = yield* ThreadRows.choose(yield* ThreadRows.read(server), "threads resume", thread)
  const view = inOurWords(server.client.watchThread({ threadId }).pipe(Stream.runHead)).pipe(
    Effect.map(Option.flatMap((frame) => (frame.type === "snapshot" ? Option.some(frame.view) : Option.none())))
  )
  const before = Option.getOrUndefined(yield* view)
  if (before === undefined || !before.held) return yield* usage("threads resume", "Nothing is held in this thread.")
  const waiting = TurnQueue.holdable(before)
  const letGo = (along: boolean) =>
    server.client
      .send({
        commandId: CommandId.make(randomUUID()),
        threadId,
        command: { type: "queue.hold", held: false, ...(along && { transcript: true as const }) }
      })
      .pipe(
        Effect.catchTag("CommandRejected", ({ problem }) => failedWith(problem)),
        inOurWords
      )
  // A hold by a person hides that a choice is needed. The flag for the transcript makes this choice.
  if (transcript && before.forgotten === "open" && before.heldBy?.why !== "forgotten") yield* letGo(false)
  yield* letGo(transcript)
  const after = Option.getOrUndefined(yield* view)
  if (!transcript && after?.heldBy?.why === "forgotten") return yield* failedWith(toChoose(after, threadId))
  Terminal.err(`${countText(waiting.length, "prompt")} let go.`)
  if (!transcript) return
  const turn = after?.turns.find(({ turnId }) => turnId === waiting[0]?.turnId)
  const amount = turn && HandedOver.amountIn(turn.prompt)
  Terminal.err(
    amount === undefined
      ? "Nothing was handed over: nothing was said."
      : `The transcript goes along ${oneLine(amount)}.`
  )
}, Effect.scoped)

const toChoose = ({ provider }: ThreadView, threadId: ThreadId): Problem => ({
  code: "session-not-found",
  title: `${provider.name} has lost the session.`,
  cause: "Your hold is over, and nothing is sent before you have chosen how it goes on.",
  evidence: {},
  nextSteps: [
    {
      action: "run-command",
      label: "In a new session that knows nothing of it",
      command: `signalbox threads resume ${threadId}`
    },
    {
      action: "run-command",
      label: "With the transcript",
      command: `signalbox threads resume ${threadId} --transcript`
    }
  ]
})
