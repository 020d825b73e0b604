/** One view of the chat and what it and the extension say to each other, whatever document stands in it. */
import type { RunningServer } from "@signalbox/attach/RunningServer"
import { FromView, type ToView } from "@signalbox/contracts/HostMessage"
import type { Problem } from "@signalbox/contracts/Problem"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import type { Log } from "../log/Log.ts"
import * as Tunnels from "./Tunnels.ts"

/** What a view wants of the editor. */
export type Ask = Exclude<FromView, { readonly type: "ready" | "connect" | "frame" | "disconnect" }>

/** What each view of a window needs of it. */
export interface Host {
  readonly log: Pick<Log, "info" | "warn">
  /** Finds the server, or says what is wrong. `mayStart`: whether one is started where none runs. */
  readonly find: (mayStart: boolean) => Promise<RunningServer | { readonly problem: Problem }>
  /** What a document learns when it is ready, before anything else. */
  readonly welcome: () => ReadonlyArray<ToView>
  /** Does what a view wants of the editor. `view`: the one that asks. */
  readonly onAsk: (ask: Ask, view: Asking) => void
  /** A document was loaded, and has said nothing for `silence` milliseconds: people may see an empty view. */
  readonly onSilent: (view: Pick<Asking, "reload">) => void
}

/** Milliseconds after which a document that says nothing is reported. A busy machine needs a few seconds for one. */
export const silence = 20_000

/** A view that asks, for what comes back to it. */
export interface Asking extends Pick<ViewSession, "tellNext"> {
  /** Loads its document again. */
  readonly reload: () => void
}

/** The view itself. */
export interface View {
  /** Gives a message to the document. It resolves when the document has it. */
  readonly post: (message: ToView) => PromiseLike<unknown>
  /** Loads the document again. */
  readonly reload: () => void
}

export interface ViewSession {
  /** A document is being loaded. `leave` comes before, where there was another one. */
  readonly loads: () => void
  /** Takes a message of the view. One that is not understood is logged. */
  readonly take: (message: unknown) => void
  /** Ends what belongs to the present document: it is gone, or about to go. */
  readonly leave: () => void
  /** Sends the message if a document listens. Returns whether one does. */
  readonly tell: (message: ToView) => boolean
  /** Sends the message now, or to the next document that listens. */
  readonly tellNext: (message: ToView) => void
}

const decode = Schema.decodeUnknownOption(FromView)

export const make = ({ find, log, onAsk, onSilent, welcome }: Host, { post, reload }: View): ViewSession => {
  /** A document that has just come, or a person who asks for it, may start a server. One that was ended stays so. */
  let mayStart = false
  /** Why none could be started. It stays what people read until one is found, or they try again. */
  let failed: { readonly problem: Problem } | undefined
  const look = async () => {
    const isStart = mayStart
    mayStart = false
    const found = await find(isStart)
    if (!("problem" in found)) failed = undefined
    else if (isStart) failed = found
    return "problem" in found ? (failed ?? found) : found
  }
  const tunnels = Tunnels.make({ find: look, post })
  /** Whether the present document has said that it listens. */
  let isReady = false
  let waiting: ReadonlyArray<ToView> = []

  let silent: NodeJS.Timeout | undefined
  const heard = (): void => clearTimeout(silent)
  const loads = (): void => {
    // The editor may say that a view is shown when its document has begun already.
    if (isReady) return
    heard()
    silent = setTimeout(() => {
      log.warn("webview", "The document of the view has said nothing", { seconds: silence / 1000 })
      onSilent({ reload })
    }, silence)
  }

  const leave = (): void => {
    heard()
    isReady = false
    tunnels.clear()
  }
  const tellNext = (message: ToView): void => {
    if (isReady) void post(message)
    else waiting = [...waiting, message]
  }
  const handle = (message: FromView): void => {
    switch (message.type) {
      case "ready": {
        // A document that was here before has not said goodbye.
        leave()
        isReady = true
        mayStart = true
        log.info("webview", "Webview ready")
        for (const each of [...welcome(), ...waiting]) void post(each)
        waiting = []
        return
      }
      case "connect":
        return tunnels.connect(message.connection)
      case "frame":
        return tunnels.frame(message.connection, message.data)
      case "disconnect":
        return tunnels.disconnect(message.connection)
      case "try":
        mayStart = true
        return onAsk(message, { tellNext, reload })
      case "showing":
      case "openFile":
      case "openDiff":
      case "openPage":
      case "openLink":
      case "openFolder":
      case "manageTrust":
      case "take":
      case "reload":
        return onAsk(message, { tellNext, reload })
    }
  }
  return {
    loads,
    take: (data) => {
      const message = Option.getOrUndefined(decode(data))
      if (message === undefined) log.warn("webview", "A message of the view was not understood")
      else handle(message)
    },
    leave,
    tell: (message) => {
      if (isReady) void post(message)
      return isReady
    },
    tellNext
  }
}
