/** The extension that hosts this view. */
import { type FromView, ToView } from "@signalbox/contracts/HostMessage"
import type { ThreadId } from "@signalbox/contracts/Ids"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"

/** What this document keeps with its editor, for the next one in the same place. */
interface Kept {
  readonly threadId?: ThreadId
}

interface EditorApi {
  readonly postMessage: (message: FromView) => void
  readonly setState: (kept: Kept) => void
}

declare global {
  /** Given to the view by its editor, once. */
  const acquireVsCodeApi: () => EditorApi
}

const api = acquireVsCodeApi()

export const tell = (message: FromView): void => api.postMessage(message)

/** Says which thread is shown now, and keeps it. `cwd` and `agent`: undefined where its row is not here yet. */
export const tellShown = (threadId: ThreadId | undefined, cwd?: string, agent?: string): void => {
  const kept = { ...(threadId !== undefined && { threadId }) }
  api.setState(kept)
  tell({ type: "showing", ...kept, ...(cwd !== undefined && agent !== undefined && { at: { cwd, agent } }) })
}

const decode = Schema.decodeUnknownOption(ToView)

/** Calls `take` for each message of the extension, in their order, for as long as the view is there. */
export const listen = (take: (message: ToView) => void): void =>
  addEventListener("message", ({ data }: MessageEvent<unknown>) => {
    const message = Option.getOrUndefined(decode(data))
    if (message !== undefined) take(message)
  })
