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
  /** Puts a number on the icon of the chat. Undefined takes it away. */
  readonly setBadge: (badge: vscode.ViewBadge | undefined) => void
}

/** Puts the chat's document into a webview. It may load files of the extension's view only. */
export const fill = (webview: vscode.Webview, extensionUri: vscode.Uri): void => {
  const folder = vscode.Uri.joinPath(extensionUri, "dist", "view")
  webview.options = { enableScripts: true, localResourceRoots: [folder] }
  // The same document is not loaded again, so it is another one.
  webview.html = ""
  webview.html = documentOf({ parts: webview.asWebviewUri(folder).toString(), source: webview.cspSource })
}

export const make = (extensionUri: vscode.Uri, host: ViewSession.Host): ChatView => {
  const { log } = host
  let view: vscode.WebviewView | undefined
  let badge: vscode.ViewBadge | undefined
  const session = ViewSession.make(host, {
    post: (message) => view?.webview.postMessage(message) ?? Promise.resolve(false),
    reload: () => {
      if (view === undefined) return
      session.leave()
      if (view.visible) session.loads()
      fill(view.webview, extensionUri)
    }
  })

  return {
    resolveWebviewView: (made) => {
      view = made
      made.badge = badge
      session.leave()
      made.webview.onDidReceiveMessage(session.take)
      made.onDidChangeVisibility(() => {
        log.info("webview", made.visible ? "Webview became visible" : "Webview became hidden")
        // A hidden view has no document: the next one reads the state from the server.
        if (made.visible) session.loads()
        else session.leave()
      })
      made.onDidDispose(() => {
        log.info("webview", "Webview disposed")
        if (view !== made) return
        session.leave()
        view = undefined
      })
      session.loads()
      fill(made.webview, extensionUri)
      log.info("webview", "Webview resolved and created")
    },
    show: async (message) => {
      if (message !== undefined) session.tellNext(message)
      await vscode.commands.executeCommand(`${viewId}.focus`)
    },
    tell: session.tell,
    isVisible: () => view?.visible === true,
    setBadge: (next) => {
      badge = next
      if (view !== undefined) view.badge = next
    }
  }
}
