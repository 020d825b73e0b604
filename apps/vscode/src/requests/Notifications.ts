/** Shows requests of agents as notifications, while nobody looks at the chat. */
import { type AgentRequest, optionOf, type RequestResponse } from "@signalbox/contracts/AgentRequest"
import { type Problem, sentencesOf } from "@signalbox/contracts/Problem"
import type { ThreadId } from "@signalbox/contracts/Ids"
import type { WaitingThread } from "@signalbox/contracts/Waiting"
import * as vscode from "vscode"
import type { Log } from "../log/Log.ts"
import { plain } from "../words/Plain.ts"
import { newIn, type NewRequest } from "./OpenRequests.ts"
import { textOf } from "./RequestText.ts"

export interface Options {
  readonly log: Log
  /** Whether requests of threads in this folder concern this window, now that nobody looks at the chat. */
  readonly concerns: (cwd: string) => boolean
  readonly show: (threadId: ThreadId) => void
  /** Answers a request. Resolves with why that was refused. */
  readonly answer: (
    threadId: ThreadId,
    requestId: AgentRequest["requestId"],
    response: RequestResponse
  ) => Promise<Problem | undefined>
}

export interface Notifications {
  /** Takes all threads that wait now. Shows what is new. */
  readonly take: (threads: ReadonlyArray<WaitingThread>) => void
}

/** A button. Without an option it leads to the chat. */
interface Item extends vscode.MessageItem {
  readonly optionId?: string
}

const look: Item = { title: "Show" }

export const make = ({ answer, concerns, log, show }: Options): Notifications => {
  let known: ReadonlySet<string> = new Set()

  const notify = async ({ request, thread }: NewRequest): Promise<void> => {
    const { answers, text } = textOf(thread, request)
    log.info("approval", "Notification shown", { threadId: thread.threadId, requestId: request.requestId })
    const items = answers.map(({ name, optionId }) => ({ title: name, optionId }))
    const chosen = await vscode.window.showInformationMessage<Item>(text, ...items, look)
    if (chosen === undefined) return
    if (chosen.optionId === undefined || request.request?.type !== "approval") return show(thread.threadId)
    const refused = await answer(thread.threadId, request.requestId, optionOf(request.request, chosen.optionId))
    log.info("approval", refused === undefined ? "Answered by a notification" : "An answer was refused", {
      threadId: thread.threadId,
      requestId: request.requestId
    })
    if (refused !== undefined) void vscode.window.showWarningMessage(plain(sentencesOf(refused)))
  }
  return {
    take: (threads) => {
      const found = newIn(threads, known)
      known = found.known
      for (const each of found.requests) if (concerns(each.thread.cwd)) void notify(each)
    }
  }
}
