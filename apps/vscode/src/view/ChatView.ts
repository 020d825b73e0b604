/** The chat in the side bar: makes its document, and passes on what it and the server say to each other. */
import { FromView, type ToView } from "@signalbox/contracts/HostMessage"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import * as vscode from "vscode"
import type { Log } from "../log/Log.ts"
import { documentOf } from "./Document.ts"
import * as Tunnels from "./Tunnels.ts"

export const viewId = "signalbox.chat"

export type Ask = Exclude<FromView, { readonly type: "ready" | "connect" | "frame" | "disconnect" }>

export interface Options {
  readonly extensionUri: vscode.Uri
  readonly log: Log
  readonly find: Tunnels.Options["find"]
  /** What a view learns when it is ready, before anything else. */
  readonly welcome: () => ReadonlyArray<ToView>
  /** Does what the view asks of the editor. */
  readonly onAsk: (ask: Ask) => void
}

export interface ChatView extends vscode.WebviewViewProvider {
  /** Shows the chat, and then sends the message: at once, or when its document is ready. */
  readonly show: (message?: ToView) => Promise<void>
  /** Sends the message if a document is there to take it. A later document learns by `welcome` what counts then. */
  readonly tell: (message: ToView) => void
  readonly isVisible: () => boolean
}

const decode = Schema.decodeUnknownOption(FromView)

export const make = ({ extensionUri, find, log, onAsk, welcome }: Options): ChatView => {
  const folder = vscode.Uri.joinPath(extensionUri, "dist", "view")
  let view: vscode.WebviewView | undefined
  /** Whether the present document has said that it listens. */
  let isReady = false
  /** What waits for a document. */
  let waiting: ReadonlyArray<ToView> = []

  const post = (message: ToView): PromiseLike<unknown> => view?.webview.postMessage(message) ?? Promise.resolve(false)
  const tunnels = Tunnels.make({ find, post })

  /** The document is gone, or about to go. */
  const leave = (): void => {
    isReady = false
    tunnels.clear()
  }

  const take = (message: FromView): void => {
    switch (message.type) {
      case "ready": {
        // A document that was here before has not said goodbye.
        leave()
        isReady = true
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
      case "showing":
      case "openFile":
      case "openPage":
      case "openLink":
      case "openFolder":
      case "manageTrust":
      case "take":
        return onAsk(message)
    }
  }

  return {
    resolveWebviewView: (made) => {
      view = made
      isReady = false
      made.webview.options = { enableScripts: true, localResourceRoots: [folder] }
      made.webview.onDidReceiveMessage((data: unknown) => {
        const message = Option.getOrUndefined(decode(data))
        if (message === undefined) log.warn("webview", "A message of the view was not understood")
        else take(message)
      })
      made.onDidChangeVisibility(() => {
        log.info("webview", made.visible ? "Webview became visible" : "Webview became hidden")
        // A hidden view has no document: the next one reads the state from the server.
        if (!made.visible) leave()
      })
      made.onDidDispose(() => {
        log.info("webview", "Webview disposed")
        if (view === made) {
          leave()
          view = undefined
        }
      })
      made.webview.html = documentOf({
        parts: made.webview.asWebviewUri(folder).toString(),
        source: made.webview.cspSource
      })
      log.info("webview", "Webview resolved and created")
    },
    show: async (message) => {
      if (message !== undefined && !isReady) waiting = [...waiting, message]
      await vscode.commands.executeCommand(`${viewId}.focus`)
      if (message !== undefined && isReady && !waiting.includes(message)) void post(message)
    },
    tell: (message) => {
      if (isReady) void post(message)
    },
    isVisible: () => view?.visible === true
  }
}
