/** Commands as a careful client sends them: each outcome is kept, and what was cut off is sent once more under the same id. */
import type { ThreadCommand } from "@signalbox/contracts/Command"
import { CommandId } from "@signalbox/contracts/Ids"
import * as Effect from "effect/Effect"
import { randomUUID } from "node:crypto"
import type { Connection } from "./Connection.ts"
import type { Outcome, SentCommand, Story } from "./Story.ts"

export const newId = (): CommandId => CommandId.make(randomUUID())

/** On record before it is sent: whoever is interrupted meanwhile does not know what became of it. */
export const send = (
  story: Story,
  life: number,
  client: Connection,
  command: ThreadCommand,
  commandId = newId()
): Effect.Effect<Outcome> =>
  Effect.suspend(() => {
    const sent: SentCommand = { commandId, command, life, outcome: { type: "unknown" }, repeats: [] }
    story.sent.push(sent)
    return Effect.tap(ask(story, client, sent), (outcome) => Effect.sync(() => (sent.outcome = outcome)))
  })

/** Everything whose outcome is not known, in its order, and the last thing that was taken. */
export const repeat = Effect.fnUntraced(function* (story: Story, client: Connection) {
  const known = story.sent.findLast(({ outcome }) => outcome.type === "accepted")
  for (const sent of story.sent.filter((sent) => sent === known || sent.outcome.type === "unknown")) {
    const outcome = yield* ask(story, client, sent)
    sent.repeats.push(outcome)
    if (sent.outcome.type === "unknown") sent.outcome = outcome
  }
})

const ask = (story: Story, client: Connection, { command, commandId }: SentCommand): Effect.Effect<Outcome> =>
  client.send({ commandId, threadId: story.scenario.threadId, command }).pipe(
    Effect.map(({ sequence }): Outcome => ({ type: "accepted", sequence })),
    Effect.catchTag("CommandRejected", ({ problem }) => Effect.succeed<Outcome>({ type: "refused", problem })),
    // The connection is gone.
    Effect.catchTag("RpcClientError", () => Effect.succeed<Outcome>({ type: "unknown" }))
  )
