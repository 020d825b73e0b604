/** `signalbox threads resume`: lets the prompts of a thread go that are held, with the transcript where its agent has lost the session. */
import { CommandId } from "@signalbox/contracts/Ids"
import * as TurnQueue from "@signalbox/contracts/TurnQueue"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Stream from "effect/Stream"
import { randomUUID } from "node:crypto"
import * as HandedOver from "../orchestration/HandedOver.ts"
import { oneLine } from "../Plain.ts"
import { countText } from "./Amount.ts"
import { failedWith, usage } from "./Failure.ts"
import * as ServerClient from "./ServerClient.ts"
import * as StateFolder from "./StateFolder.ts"
import * as Terminal from "./Terminal.ts"
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
  yield* server.client
    .send({
      commandId: CommandId.make(randomUUID()),
      threadId,
      command: { type: "queue.hold", held: false, ...(transcript && { transcript: true as const }) }
    })
    .pipe(
      Effect.catchTag("CommandRejected", ({ problem }) => failedWith(problem)),
      inOurWords
    )
  Terminal.err(`${countText(waiting.length, "prompt")} let go.`)
  if (!transcript) return
  const after = Option.getOrUndefined(yield* view)
  const turn = after?.turns.find(({ turnId }) => turnId === waiting[0]?.turnId)
  const amount = turn && HandedOver.amountIn(turn.prompt)
  Terminal.err(
    amount === undefined
      ? "Nothing was handed over: nothing was said."
      : `The transcript goes along ${oneLine(amount)}.`
  )
}, Effect.scoped)
