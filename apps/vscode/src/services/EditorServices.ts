/**
 * Serves the agents of the threads that this window shows or has shown, in the folders of the window: their reads and writes of files
 * go through its editors, and their programs run in its terminals. What it knows of the code answers their questions. If several windows
 * or editors serve one thread, the server asks the one that came last to it.
 */
import * as AttachedEditor from "@signalbox/client/AttachedEditor"
import type { ThreadId } from "@signalbox/contracts/Ids"
import type { ThreadSummary } from "@signalbox/contracts/ThreadView"
import * as ProcessLedger from "@signalbox/process/ProcessLedger"
import { layerDisabled } from "@signalbox/process/ProcessLedgerLayer"
import * as Effect from "effect/Effect"
import * as FiberMap from "effect/FiberMap"
import * as Queue from "effect/Queue"
import type * as vscode from "vscode"
import * as LanguageStart from "../ide/LanguageStart.ts"
import * as Reports from "../ide/Reports.ts"
import * as ThreadIde from "../ide/ThreadIde.ts"
import * as WindowFindings from "../ide/WindowFindings.ts"
import type { Log } from "../log/Log.ts"
import type { ServerLink } from "../server/ServerLink.ts"
import * as Documents from "./Documents.ts"
import type { Workspace } from "./ServedThreads.ts"
import * as ShownThreads from "./ShownThreads.ts"
import * as Terminals from "./Terminals.ts"
import * as ThreadService from "./ThreadService.ts"

export interface EditorServices {
  /** The chat shows this thread now. */
  readonly showing: ShownThreads.ShownThreads["show"]
  /** Takes the list of threads as it is now. */
  readonly take: (threads: ReadonlyArray<ThreadSummary>) => void
  /** The folders of the window, or the trust in them, have changed. */
  readonly look: () => void
  /** Serves until it is interrupted. What runs for agents then ends. Never ends by itself. */
  readonly run: Effect.Effect<never>
}

export interface Options {
  readonly link: Pick<ServerLink, "followAtOnce" | "once">
  readonly log: Log
  /** The window as it is now. Nothing is offered without trust. */
  readonly workspace: () => Workspace
  /** The text editor that the person was in last. */
  readonly editor: () => vscode.TextEditor | undefined
}

/** The name of this editor, for people. */
const name = "VS Code"

export const make = ({ editor: lastEditor, link, log, workspace }: Options): EditorServices => {
  const threads = ShownThreads.make()
  const changes = Effect.runSync(Queue.sliding<void>(1))
  const look = (): void => void Queue.offerUnsafe(changes, undefined)

  const serve = Effect.fnUntraced(function* (
    { agent, cwd, threadId }: ShownThreads.ShownThread,
    reports: Reports.Reports,
    languages: LanguageStart.LanguageStart
  ) {
    const ledger = yield* ProcessLedger.ProcessLedger
    const folders = () => [cwd, ...workspace().folders]
    const documents = Documents.make({ folders, agent, log })
    const ide = ThreadIde.make({ cwd, folders: () => workspace().folders, editor: lastEditor, reports, languages })
    const terminals = yield* Terminals.make({ folders, cwd, agent, ledger, log })
    const editor = yield* AttachedEditor.make({
      threadId,
      name,
      offers: { readTextFile: true, writeTextFile: true, terminal: true, ideOperations: true },
      link: { follow: link.followAtOnce, once: link.once },
      ...ThreadService.make({ documents, terminals, ide, log }),
      letGo: terminals.releaseAll
    })
    yield* Effect.forkScoped(
      Effect.tap(editor.attached, () =>
        Effect.sync(() => log.info("editor", "The editor serves the agent of a thread", { threadId }))
      )
    )
    yield* editor.over
  }, Effect.scoped)

  const run = Effect.gen(function* () {
    const reports = yield* Reports.make(WindowFindings.source)
    const languages = LanguageStart.make()
    const served = yield* FiberMap.make<ThreadId, void>()
    while (true) {
      const now = threads.served(workspace())
      for (const [threadId] of served) if (!now.has(threadId)) yield* FiberMap.remove(served, threadId)
      for (const [threadId, row] of now)
        if (!FiberMap.hasUnsafe(served, threadId)) yield* FiberMap.run(served, threadId, serve(row, reports, languages))
      yield* Queue.take(changes)
    }
  }).pipe(Effect.scoped, Effect.provide(layerDisabled))

  return {
    showing: (threadId, at) => {
      threads.show(threadId, at)
      look()
    },
    take: (rows) => {
      threads.take(rows)
      look()
    },
    look,
    run
  }
}
