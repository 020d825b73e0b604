/** Deletes a thread while it is at work, and checks that all of it is gone for good. */
import { TurnId } from "@signalbox/contracts/Ids"
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import * as Stream from "effect/Stream"
import { randomUUID } from "node:crypto"
import { readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { newId } from "./Commands.ts"
import * as DatabaseFile from "./DatabaseFile.ts"
import * as MarkedProcesses from "./MarkedProcesses.ts"
import * as Marker from "./Marker.ts"
import type { Stage } from "./Stage.ts"
import type { Story } from "./Story.ts"

/** How long the agent may take to end, and the thread list to show the deletion. */
const goneWithin = 5000

/** Deletes the thread, again if the answer to an earlier deletion is unknown. Then it looks for what is left of the thread. */
export const remove = Effect.fnUntraced(function* (story: Story, { clients, life, list, see, state }: Stage) {
  const { agentMark, threadId } = story.scenario
  const [client] = clients
  story.removal = "asked"
  see("removal sent")
  const removed = yield* Effect.result(client.deleteThread({ threadId }))
  // The connection is gone, so that the outcome is unknown.
  if (Result.isFailure(removed) && removed.failure._tag === "RpcClientError") return
  story.removal = "done"
  // The server confirmed the deletion: from now on no crash may bring a word of the thread back.
  if (Result.isSuccess(removed) && DatabaseFile.holds(state, story.scenario.seed))
    story.remains.push(`life ${life}: words of it stand in the database when it is told as deleted`)
  see("removal done")
  if (Result.isFailure(removed)) story.remains.push(`life ${life}: it could not be deleted: ${removed.failure.message}`)

  const shown = yield* Effect.result(Stream.runHead(client.watchThread({ threadId })))
  if (Result.isSuccess(shown)) story.remains.push(`life ${life}: it is still shown`)
  const prompt = [{ type: "text" as const, text: "Is anybody there?" }] as const
  const command = { type: "turn.start" as const, turnId: TurnId.make(randomUUID()), prompt }
  const taken = yield* Effect.result(client.send({ commandId: newId(), threadId, command }))
  if (Result.isSuccess(taken)) story.remains.push(`life ${life}: it still takes prompts`)

  const lingering = () => [
    ...MarkedProcesses.find(agentMark).map(({ command, pid }) => `process ${pid} goes on: ${command}`),
    ...(list.row(threadId) === undefined ? [] : ["it still stands in the list"])
  ]
  const until = performance.now() + goneWithin
  while (lingering().length > 0 && performance.now() < until) yield* Effect.sleep("50 millis")
  story.remains.push(...lingering().map((what) => `life ${life}: ${what}`))
})

/** Lists the files below a folder that contain words of this seed's thread. */
export const filesWith = (folder: string, seed: number): ReadonlyArray<string> =>
  readdirSync(folder, { withFileTypes: true, recursive: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .filter((path) => Marker.standsIn(readFileSync(path), seed))
