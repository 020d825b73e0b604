/** What views of the chat want of the editor, and how it is done. */
import type { AttachFailed } from "@signalbox/attach/AttachFailed"
import type { RunningServer } from "@signalbox/attach/RunningServer"
import type { ThreadId } from "@signalbox/contracts/Ids"
import * as Effect from "effect/Effect"
import * as vscode from "vscode"
import { partsOf } from "./editor/Offers.ts"
import * as Diffs from "./editor/Diffs.ts"
import type { ReadOnlyTexts } from "./editor/ReadOnlyTexts.ts"
import { openFile } from "./editor/OpenFile.ts"
import { sentencesOf } from "@signalbox/contracts/Problem"
import type { ServerLink } from "./server/ServerLink.ts"
import { plain } from "./words/Plain.ts"
import type { Ask, Asking } from "./view/ViewSession.ts"

export interface Options {
  readonly link: Pick<ServerLink, "connected" | "once" | "tryNow">
  readonly texts: ReadOnlyTexts
  readonly find: Effect.Effect<RunningServer, AttachFailed>
  /** The text editor that prompts are about. */
  readonly editor: () => vscode.TextEditor | undefined
  /** A view shows this thread now. */
  readonly onShown: (threadId: ThreadId, at?: { readonly cwd: string; readonly agent: string }) => void
}

export interface Asks {
  readonly take: (ask: Ask, view: Asking) => void
  /** Opens a place of the page in a browser, which comes in by an invitation for this once. */
  readonly openPage: (href: string) => Promise<void>
}

/** Kinds of addresses that are opened. Others, such as `command`, would do something here. */
const openable: ReadonlySet<string> = new Set(["http", "https", "mailto"])

const openLink = async (url: string): Promise<void> => {
  const scheme = /^([a-z][a-z0-9+.-]*):/i.exec(url)?.[1]?.toLowerCase() ?? ""
  if (openable.has(scheme)) await vscode.env.openExternal(vscode.Uri.parse(url))
  else void vscode.window.showWarningMessage(plain(`This address is not of a kind that is opened: ${url}`))
}

export const make = ({ editor, find, link, onShown, texts }: Options): Asks => {
  const openPage = async (href: string): Promise<void> => {
    const opened = await Effect.runPromise(
      Effect.gen(function* () {
        const server = yield* find
        yield* link.connected
        const { token } = yield* link.once((client) =>
          client.inviteClient({ scope: "admin", name: "opened from VS Code" })
        )
        return `${server.url}/#token=${token}&then=${encodeURIComponent(href)}`
      }).pipe(Effect.match({ onSuccess: (url) => ({ url }), onFailure: ({ problem }) => ({ problem }) }))
    )
    if ("url" in opened) await vscode.env.openExternal(vscode.Uri.parse(opened.url))
    else void vscode.window.showErrorMessage(plain(`The page can't be opened. ${sentencesOf(opened.problem)}`))
  }
  return {
    openPage,
    take: (ask, view) => {
      switch (ask.type) {
        case "try":
          return link.tryNow()
        case "showing":
          return ask.threadId === undefined ? undefined : onShown(ask.threadId, ask.at)
        case "openFile":
          return void openFile(ask.cwd, ask.path, ask.line)
        case "openDiff":
          return void Diffs.open(texts, ask)
        case "openPage":
          return void openPage(ask.href)
        case "openLink":
          return void openLink(ask.url)
        case "openFolder":
          return void vscode.commands.executeCommand("vscode.openFolder")
        case "manageTrust":
          return void vscode.commands.executeCommand("workbench.trust.manage")
        case "reload":
          return view.reload()
        case "take": {
          const parts = partsOf(ask.offer, editor())
          if (typeof parts === "string") void vscode.window.showInformationMessage(plain(parts))
          else view.tellNext({ type: "add", parts })
        }
      }
    }
  }
}
