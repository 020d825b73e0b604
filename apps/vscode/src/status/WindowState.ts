/** What a window knows, as JSON: for people who wonder what the extension does, and for reports of faults. Pure. */
import type { ThreadSummary } from "@signalbox/contracts/ThreadView"

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

export const textOf = ({ threads, ...rest }: WindowState): string =>
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
