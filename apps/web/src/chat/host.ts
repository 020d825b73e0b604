/** The extension that hosts this view. */
import { type FromView, ToView } from "@signalbox/contracts/HostMessage"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"

interface EditorApi {
  readonly postMessage: (message: FromView) => void
}

declare global {
  /** Given to the view by its editor, once. */
  const acquireVsCodeApi: () => EditorApi
}

const api = acquireVsCodeApi()

export const tell = (message: FromView): void => api.postMessage(message)

const decode = Schema.decodeUnknownOption(ToView)

/** Calls `take` for each message of the extension, in their order, for as long as the view is there. */
export const listen = (take: (message: ToView) => void): void =>
  addEventListener("message", ({ data }: MessageEvent<unknown>) => {
    const message = Option.getOrUndefined(decode(data))
    if (message !== undefined) take(message)
  })
