/** Sends commands like a careful client: keeps each outcome, and repeats a command that was cut off under the same id. */
import type { ThreadCommand } from "@signalbox/contracts/Command"
import { CommandId } from "@signalbox/contracts/Ids"
import * as Effect from "effect/Effect"
import { randomUUID } from "node:crypto"
import type { Connection } from "./Connection.ts"
import type { Outcome, SentCommand, Story } from "./Story.ts"

export const newId = (): CommandId => CommandId.make(randomUUID())

/** Records a command before it is sent: a client that is interrupted does not know its outcome. */
const recorded = (story: Story, life: number, command: ThreadCommand, commandId: CommandId): SentCommand => {
  const sent: SentCommand = { commandId, command, life, outcome: { type: "unknown" }, repeats: [] }
  story.sent.push(sent)
  return sent
}

export const send = (
  story: Story,
  life: number,
  client: Connection,
  command: ThreadCommand,
  commandId = newId()
): Effect.Effect<Outcome> =>
  Effect.suspend(() => {
    const sent = recorded(story, life, command, commandId)
    return Effect.tap(ask(story, client, sent), (outcome) => Effect.sync(() => (sent.outcome = outcome)))
  })

/** Sends one command from two clients at once, like a page that was opened twice. */
export const sendTwice = (
  story: Story,
  life: number,
  clients: readonly [Connection, Connection],
  command: ThreadCommand,
  commandId: CommandId
): Effect.Effect<Outcome> =>
  Effect.suspend(() => {
    const sent = recorded(story, life, command, commandId)
    const first = Effect.tap(ask(story, clients[0], sent), (outcome) => Effect.sync(() => (sent.outcome = outcome)))
    const second = Effect.tap(ask(story, clients[1], sent), (outcome) => Effect.sync(() => sent.repeats.push(outcome)))
    return Effect.map(Effect.all([first, second], { concurrency: 2 }), ([outcome]) => outcome)
  })

/** Repeats each command without a known outcome and the last accepted one. Then sends another command under the id of that one. */
export const repeat = Effect.fnUntraced(function* (story: Story, client: Connection) {
  const known = story.sent.findLast(({ outcome }) => outcome.type === "accepted")
  for (const sent of story.sent.filter((sent) => sent === known || sent.outcome.type === "unknown")) {
    const outcome = yield* ask(story, client, sent)
    sent.repeats.push(outcome)
    if (sent.outcome.type === "unknown") sent.outcome = outcome
  }
  if (known === undefined) return
  const other: ThreadCommand = { type: "thread.rename", title: misuse }
  story.misused.push(yield* ask(story, client, { ...known, command: other }))
})

/** A title that no thread may get: it was sent under the id of another command. */
export const misuse = "Not this"

const ask = (story: Story, client: Connection, { command, commandId }: SentCommand): Effect.Effect<Outcome> =>
  client.send({ commandId, threadId: story.scenario.threadId, command }).pipe(
    Effect.map(({ sequence }): Outcome => ({ type: "accepted", sequence })),
    Effect.catchTags({
      CommandRejected: ({ problem }) => Effect.succeed<Outcome>({ type: "refused", problem }),
      OutOfScope: ({ problem }) => Effect.succeed<Outcome>({ type: "refused", problem }),
      // The connection is gone.
      RpcClientError: () => Effect.succeed<Outcome>({ type: "unknown" })
    })
  )
