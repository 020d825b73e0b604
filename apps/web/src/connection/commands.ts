/** Commands to the server. Each has its own id, so a command whose answer was lost is sent again and runs only once. */
import { Unanswered } from "@signalbox/client/Once"
import type { RequestResponse } from "@signalbox/contracts/AgentRequest"
import { OutOfScope } from "@signalbox/contracts/ClientScope"
import { CommandRejected, type Receipt, type ThreadCommand } from "@signalbox/contracts/Command"
import type { FileSearchQuery, FoundFiles } from "@signalbox/contracts/FileSearch"
import { CommandId, type RequestId, ThreadId, TurnId } from "@signalbox/contracts/Ids"
import type { Problem } from "@signalbox/contracts/Problem"
import { type Directory } from "@signalbox/contracts/Directory"
import { OutputNotFound, ThreadUnreadable } from "@signalbox/contracts/ThreadErrors"
import { Refused } from "@signalbox/contracts/Refused"
import * as Effect from "effect/Effect"
import { persistently } from "./calls.ts"

export const newThreadId = (): ThreadId => ThreadId.make(crypto.randomUUID())
export const newTurnId = (): TurnId => TurnId.make(crypto.randomUUID())

/** Resolves when the server has accepted the command. Rejects with `CommandRejected` if it has not. */
export const send = (threadId: ThreadId, command: ThreadCommand): Promise<Receipt> => {
  const commandId = CommandId.make(crypto.randomUUID())
  return Effect.runPromise(persistently((client) => client.send({ commandId, threadId, command })))
}

/** Answers a request. The reason of a rejection gets a turn of its own. */
export const answer = (threadId: ThreadId, requestId: RequestId, response: RequestResponse): Promise<Receipt> =>
  send(threadId, {
    type: "request.respond",
    requestId,
    response,
    ...(response.type === "option" && response.reason !== undefined && { turnId: newTurnId() })
  })

/** Lists a folder. Rejects with `DirectoryUnreadable`. */
export const listDirectory = (path: string, signal: AbortSignal): Promise<Directory> =>
  Effect.runPromise(
    persistently((client) => client.listDirectory({ path })),
    { signal }
  )

/** Files of a folder, the best match first. */
export const searchFiles = (query: FileSearchQuery, signal: AbortSignal): Promise<FoundFiles> =>
  Effect.runPromise(
    persistently((client) => client.searchFiles(query)),
    { signal }
  )

/** The problem of a failed call, for people. */
export const problemOf = (error: unknown): Problem => {
  if (error instanceof Refused || error instanceof CommandRejected) return error.problem
  if (error instanceof ThreadUnreadable || error instanceof OutOfScope || error instanceof Unanswered)
    return error.problem
  if (error instanceof OutputNotFound)
    return internal("This text is gone.", "It is not kept any more: the agent sent the call again without it.")
  return internal("Signalbox could not do that.", error instanceof Error ? error.message : String(error))
}

const internal = (title: string, cause: string): Problem => ({
  code: "internal",
  title,
  cause,
  evidence: {},
  nextSteps: []
})
