/** The chat as tabs of the editor: each shows a thread of its own, and shows it again after the window was reloaded. */
import type { ToView } from "@signalbox/contracts/HostMessage"
import { ThreadId } from "@signalbox/contracts/Ids"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import * as vscode from "vscode"
import { fill } from "./ChatView.ts"
import * as ViewSession from "./ViewSession.ts"

const panelType = "signalbox.panel"

export interface ChatPanels extends vscode.Disposable {
  readonly open: () => void
  /** Sends the message to each panel whose document is there to take it. */
  readonly tell: (message: ToView) => void
  readonly isVisible: () => boolean
}

/** What a panel's document keeps with its editor. */
const Kept = Schema.Struct({ threadId: Schema.optionalKey(ThreadId) })

export const make = (extensionUri: vscode.Uri, host: ViewSession.Host): ChatPanels => {
  const panels = new Map<vscode.WebviewPanel, ViewSession.ViewSession>()

  const take = (panel: vscode.WebviewPanel, last: ThreadId | undefined): void => {
    let threadId = last
    const load = (): void => {
      // It may have been asked for by a message that outlived the tab.
      if (!panels.has(panel)) return
      session.leave()
      if (panel.visible) session.loads()
      fill(panel.webview, extensionUri)
    }
    const session = ViewSession.make(
      {
        ...host,
        welcome: () =>
          host.welcome().map((message) =>
            message.type === "welcome"
              ? {
                  type: "welcome",
                  workspace: message.workspace,
                  ...(threadId !== undefined && { restore: { threadId, ask: false } })
                }
              : message
          ),
        onAsk: (ask, view) => {
          if (ask.type === "showing") threadId = ask.threadId
          host.onAsk(ask, view)
        }
      },
      { post: (message) => panel.webview.postMessage(message), reload: load }
    )
    panels.set(panel, session)
    let wasVisible = panel.visible
    panel.webview.onDidReceiveMessage(session.take)
    panel.onDidChangeViewState(() => {
      // A hidden panel has no document, as a hidden view.
      if (wasVisible && !panel.visible) session.leave()
      else if (!wasVisible && panel.visible) session.loads()
      wasVisible = panel.visible
    })
    panel.onDidDispose(() => {
      session.leave()
      panels.delete(panel)
    })
    panel.iconPath = vscode.Uri.joinPath(extensionUri, "media", "signalbox.svg")
    load()
  }
  const serializer = vscode.window.registerWebviewPanelSerializer(panelType, {
    deserializeWebviewPanel: (panel, state: unknown) => {
      const kept = Option.getOrUndefined(Schema.decodeUnknownOption(Kept)(state))
      host.log.info("webview", "Panel restored")
      take(panel, kept?.threadId)
      return Promise.resolve()
    }
  })
  return {
    open: () => take(vscode.window.createWebviewPanel(panelType, "Signalbox", vscode.ViewColumn.Beside), undefined),
    tell: (message) => {
      for (const session of panels.values()) session.tell(message)
    },
    isVisible: () => [...panels.keys()].some(({ visible }) => visible),
    dispose: () => {
      serializer.dispose()
      for (const session of panels.values()) session.leave()
    }
  }
}
