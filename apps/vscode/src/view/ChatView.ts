/** The chat in the side bar: makes its document, and hears whether people can see it. */
import type { ToView } from "@signalbox/contracts/HostMessage"
import * as vscode from "vscode"
import { documentOf } from "./Document.ts"
import * as ViewSession from "./ViewSession.ts"

export const viewId = "signalbox.chat"

export interface ChatView extends vscode.WebviewViewProvider {
  /** Shows the chat, and then sends the message: at once, or when its document is ready. */
  readonly show: (message?: ToView) => Promise<void>
  /** Sends the message if a document is there to take it. A later document learns by `welcome` what counts then. */
  readonly tell: (message: ToView) => void
  readonly isVisible: () => boolean
}

export const make = (extensionUri: vscode.Uri, host: ViewSession.Host): ChatView => {
  const { log } = host
  const folder = vscode.Uri.joinPath(extensionUri, "dist", "view")
  let view: vscode.WebviewView | undefined
  const session = ViewSession.make(host, (message) => view?.webview.postMessage(message) ?? Promise.resolve(false))

  return {
    resolveWebviewView: (made) => {
      view = made
      session.leave()
      made.webview.options = { enableScripts: true, localResourceRoots: [folder] }
      made.webview.onDidReceiveMessage(session.take)
      made.onDidChangeVisibility(() => {
        log.info("webview", made.visible ? "Webview became visible" : "Webview became hidden")
        // A hidden view has no document: the next one reads the state from the server.
        if (!made.visible) session.leave()
      })
      made.onDidDispose(() => {
        log.info("webview", "Webview disposed")
        if (view !== made) return
        session.leave()
        view = undefined
      })
      made.webview.html = documentOf({
        parts: made.webview.asWebviewUri(folder).toString(),
        source: made.webview.cspSource
      })
      log.info("webview", "Webview resolved and created")
    },
    show: async (message) => {
      if (message !== undefined) session.tellNext(message)
      await vscode.commands.executeCommand(`${viewId}.focus`)
    },
    tell: session.tell,
    isVisible: () => view?.visible === true
  }
}
