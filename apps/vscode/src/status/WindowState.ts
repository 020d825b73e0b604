/** What a window knows, as a document: for people who wonder what the extension does, and for reports of faults. */
import type { ThreadSummary } from "@signalbox/contracts/ThreadView"
import * as vscode from "vscode"

export interface WindowState {
  readonly extension: string
  /** `url` without the token that opens it. */
  readonly server: { readonly state: string; readonly url?: string; readonly problem?: string }
  readonly workspace: { readonly folders: ReadonlyArray<string>; readonly isTrusted: boolean }
  readonly settings: object
  /** Undefined without a connection. */
  readonly threads: ReadonlyArray<Pick<ThreadSummary, "threadId" | "cwd" | "status" | "waitingFor">> | undefined
  readonly isChatVisible: boolean
  readonly isTabVisible: boolean
}

const textOf = ({ threads, ...rest }: WindowState): string =>
  JSON.stringify(
    {
      ...rest,
      threads:
        threads?.map(({ cwd, status, threadId, waitingFor }) => ({ threadId, cwd, status, waitingFor })) ??
        "not known without a connection"
    },
    undefined,
    2
  )

/** Opens the state in a tab of its own, which is not a file. */
export const open = async (state: WindowState): Promise<void> => {
  const document = await vscode.workspace.openTextDocument({ language: "json", content: textOf(state) })
  await vscode.window.showTextDocument(document, { preview: true })
}
