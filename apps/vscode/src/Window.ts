/** One window of the editor: puts its parts together. */
import * as ListFrames from "@signalbox/client/ListFrames"
import type { RunningServer } from "@signalbox/attach/RunningServer"
import type { Offer, ToView } from "@signalbox/contracts/HostMessage"
import { CommandId, ThreadId } from "@signalbox/contracts/Ids"
import { type Problem, sentencesOf } from "@signalbox/contracts/Problem"
import type { ThreadSummary } from "@signalbox/contracts/ThreadView"
import type { WaitingThread } from "@signalbox/contracts/Waiting"
import { isWithin } from "@signalbox/contracts/Paths"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Schema from "effect/Schema"
import { randomUUID } from "node:crypto"
import * as vscode from "vscode"
import * as Asks from "./Asks.ts"
import { offersOf, partsOf } from "./editor/Offers.ts"
import * as ReadOnlyTexts from "./editor/ReadOnlyTexts.ts"
import * as Log from "./log/Log.ts"
import * as WindowState from "./status/WindowState.ts"
import * as Notifications from "./requests/Notifications.ts"
import * as ServerChoice from "./server/ServerChoice.ts"
import * as ServerLink from "./server/ServerLink.ts"
import * as Shared from "./server/Shared.ts"
import * as EditorServices from "./services/EditorServices.ts"
import * as Settings from "./Settings.ts"
import * as Suggestions from "./suggestions/Suggestions.ts"
import { plain } from "./words/Plain.ts"
import { badgeOf } from "./status/Badge.ts"
import * as StatusBar from "./status/StatusBar.ts"
import * as TestCommands from "./testing/TestCommands.ts"
import * as ChatPanels from "./view/ChatPanels.ts"
import * as ChatView from "./view/ChatView.ts"
import * as ViewSession from "./view/ViewSession.ts"

/** What other extensions, and tests, get of this one. */
export interface Exports {
  readonly onLog: Log.Log["onLog"]
  readonly statusText: () => string
}

export interface Window extends vscode.Disposable {
  readonly exports: Exports
}

/** The key of the thread that was shown last in this workspace. */
const shownKey = "signalbox.shownThread"

const Package = Schema.Struct({ version: Schema.String })

export const make = (context: vscode.ExtensionContext): Window => {
  const log = Log.make()
  const { version } = Schema.decodeUnknownSync(Package)(context.extension.packageJSON)
  const status = StatusBar.make()

  const workspaceNow = () => ({
    folders: (vscode.workspace.workspaceFolders ?? [])
      .filter(({ uri }) => uri.scheme === "file")
      .map(({ uri }) => uri.fsPath),
    isTrusted: vscode.workspace.isTrusted
  })
  const settingsNow = (): Settings.Settings => {
    const { settings, wrong } = Settings.read()
    for (const name of wrong) log.warn("server", `The setting ${name} is not understood, so its default counts`)
    return settings
  }

  /** Views and the window look for the server at the same moment, and one of them starts it. */
  const find = Shared.make(
    Effect.suspend(() => {
      const { command, startServer, stateFolder } = settingsNow()
      return ServerChoice.find({ command, stateFolder, mayStart: startServer, isTrusted: vscode.workspace.isTrusted })
    })
  )

  /** The text editor that prompts are about. */
  let lastEditor = vscode.window.activeTextEditor
  const running = Effect.suspend(() => ServerChoice.running(settingsNow()))
  let threads: ReadonlyArray<ThreadSummary> | undefined
  /** The list of threads is another one. Undefined: there is no connection. */
  const takeThreads = (next: ReadonlyArray<ThreadSummary> | undefined): void => {
    threads = next
    status.show(next)
    chat.setBadge(badgeOf(next))
  }
  let waiting: ReadonlyArray<WaitingThread> = []
  /** The last words about a server that can't be reached: they are logged once, however often it is tried. */
  let said = ""
  let linkState: ServerLink.LinkState = { state: "connecting" }
  const link = ServerLink.make({
    // People who end a server and have no chat open do not get another one.
    find: running,
    version,
    onState: (state) => {
      linkState = state
      if (state.state === "connected") {
        said = ""
        return log.info("server", "Connected", { url: state.server.url })
      }
      takeThreads(undefined)
      suggestions.lost()
      if (state.state !== "failed") return
      const words = sentencesOf(state.problem)
      if (words !== said) log.warn("server", words)
      said = words
    }
  })

  const services = EditorServices.make({ link, log, workspace: workspaceNow, editor: () => lastEditor })

  const suggestions = Suggestions.make({
    link,
    log,
    folders: () => {
      const { folders, isTrusted } = workspaceNow()
      return isTrusted && settingsNow().suggestions ? folders : []
    }
  })

  const welcome = (): ReadonlyArray<ToView> => {
    status.use()
    const { restoreOnRestart } = settingsNow()
    const last = context.workspaceState.get<unknown>(shownKey)
    const isKept = typeof last === "string" && (isReturning || restoreOnRestart !== "never")
    const ask = !isReturning && restoreOnRestart === "ask"
    isReturning = true
    return [
      {
        type: "welcome",
        workspace: workspaceNow(),
        ...(isKept && { restore: { threadId: ThreadId.make(last), ask } })
      },
      { type: "offers", offers: offersOf(lastEditor) }
    ]
  }
  /** Whether a view was there before in this run of the window: it comes back to the thread that it showed last. */
  let isReturning = false

  const texts = ReadOnlyTexts.make()
  const tellSilent = async (reload: () => void): Promise<void> => {
    const again = "Load It Again"
    const chosen = await vscode.window.showWarningMessage(
      `The chat did not begin within ${ViewSession.silence / 1000} seconds. Its threads go on in the server.`,
      again,
      "Show the Log"
    )
    if (chosen === again) reload()
    else if (chosen !== undefined) log.show()
  }
  const asks = Asks.make({ link, texts, find, editor: () => lastEditor, onShown: services.showing })
  const host: ViewSession.Host = {
    log,
    find: (mayStart) =>
      Effect.runPromise(
        Effect.match(mayStart ? find : running, {
          onSuccess: (server): RunningServer | { readonly problem: Problem } => {
            link.tryNow()
            return server
          },
          onFailure: ({ problem }) => ({ problem })
        })
      ),
    welcome,
    onAsk: asks.take,
    onSilent: ({ reload }) => void tellSilent(reload)
  }
  const chat = ChatView.make(context.extensionUri, {
    ...host,
    onAsk: (ask, view) => {
      // A view that begins a thread has none to come back to: the last one stays.
      if (ask.type === "showing" && ask.threadId !== undefined)
        void context.workspaceState.update(shownKey, ask.threadId)
      asks.take(ask, view)
    }
  })
  const panels = ChatPanels.make(context.extensionUri, host)

  const add = async (type: Offer["type"]): Promise<void> => {
    const parts = partsOf(type, lastEditor)
    if (typeof parts === "string") return void vscode.window.showInformationMessage(plain(parts))
    await chat.show({ type: "add", parts })
  }

  const notifications = Notifications.make({
    log,
    concerns: (cwd) =>
      settingsNow().notifyRequests &&
      !chat.isVisible() &&
      !panels.isVisible() &&
      workspaceNow().folders.some((folder) => isWithin(folder, cwd)),
    show: (threadId) => void chat.show({ type: "show", threadId }),
    answer: (threadId, requestId, response) =>
      Effect.runPromise(
        link
          .once((client) =>
            client.send({
              commandId: CommandId.make(randomUUID()),
              threadId,
              command: { type: "request.respond", requestId, response }
            })
          )
          .pipe(
            Effect.match({
              onSuccess: () => undefined,
              onFailure: ({ problem }) => problem
            })
          )
      )
  })

  const following = Effect.all(
    [
      link.run,
      services.run,
      suggestions.run,
      link.follow(
        (client) => client.watchThreads(),
        (frames) => {
          const next: ReadonlyArray<ThreadSummary> = frames.reduce(ListFrames.withFrame, threads ?? [])
          takeThreads(next)
          services.take(next)
        }
      ),
      link.follow(
        (client) => client.watchRequests(),
        (frames) => {
          waiting = frames.reduce(ListFrames.withFrame, waiting)
          notifications.take(waiting)
        }
      )
    ],
    { concurrency: "unbounded", discard: true }
  )
  const fiber = Effect.runFork(
    Effect.tapCause(following, (cause) =>
      Effect.sync(() => {
        status.show(undefined)
        log.error("server", "The window follows nothing any more", { cause: String(cause) })
      })
    )
  )

  const nextWaiting = async (): Promise<void> => {
    const first = threads?.find(({ waitingFor }) => waitingFor !== undefined)
    await chat.show(first === undefined ? undefined : { type: "show", threadId: first.threadId })
  }

  const stateNow = (): WindowState.WindowState => ({
    extension: version,
    server: {
      state: linkState.state,
      ...(linkState.state === "connected" && { url: linkState.server.url }),
      ...(linkState.state === "failed" && { problem: sentencesOf(linkState.problem) })
    },
    workspace: workspaceNow(),
    settings: Settings.read(),
    threads,
    isChatVisible: chat.isVisible(),
    isTabVisible: panels.isVisible()
  })

  const openState = async (): Promise<void> => {
    const uri = texts.keep("state.json", WindowState.textOf(stateNow()))
    await vscode.window.showTextDocument(uri, { preview: true })
    texts.forgetUnshown([uri])
  }

  const tellViews = (message: ToView): void => {
    chat.tell(message)
    panels.tell(message)
  }
  const tellOffers = (): void => tellViews({ type: "offers", offers: offersOf(lastEditor) })
  const tellWorkspace = (): void => {
    tellViews({ type: "workspace", workspace: workspaceNow() })
    services.look()
    suggestions.look()
  }
  const command = (name: string, run: () => unknown): vscode.Disposable =>
    vscode.commands.registerCommand(`signalbox.${name}`, run)

  const parts: ReadonlyArray<vscode.Disposable> = [
    vscode.window.registerWebviewViewProvider(ChatView.viewId, chat),
    command("openChat", () => chat.show()),
    command("newThread", () => chat.show({ type: "newThread" })),
    command("openPage", () => asks.openPage("#/")),
    command("openPanel", () => panels.open()),
    command("nextWaiting", nextWaiting),
    command("addSelection", () => add("selection")),
    command("addFile", () => add("file")),
    command("addProblems", () => add("problems")),
    command("showLog", () => log.show()),
    command("showState", () => openState()),
    command("openSettings", () => vscode.commands.executeCommand("workbench.action.openSettings", "signalbox.")),
    panels,
    texts,
    vscode.window.onDidChangeActiveTextEditor((editor) => {
      // A panel that is active is no text editor: what stood beside it before is still meant.
      if (editor === undefined && vscode.window.visibleTextEditors.length > 0) return
      lastEditor = editor
      tellOffers()
    }),
    vscode.window.onDidChangeTextEditorSelection(tellOffers),
    vscode.languages.onDidChangeDiagnostics(tellOffers),
    vscode.workspace.onDidChangeWorkspaceFolders(tellWorkspace),
    vscode.workspace.onDidGrantWorkspaceTrust(() => {
      tellWorkspace()
      link.tryNow()
    }),
    vscode.workspace.onDidChangeConfiguration((change) => {
      if (!change.affectsConfiguration("signalbox")) return
      link.tryNow()
      suggestions.look()
    }),
    ...(context.extensionMode === vscode.ExtensionMode.Test ? TestCommands.make(host) : []),
    suggestions,
    status,
    log
  ]
  return {
    exports: { onLog: log.onLog, statusText: status.text },
    dispose: () => {
      void Effect.runPromise(Fiber.interrupt(fiber))
      for (const part of parts) part.dispose()
    }
  }
}
