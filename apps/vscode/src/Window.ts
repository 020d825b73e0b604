/** One window of the editor: puts its parts together. */
import * as ListFrames from "@signalbox/client/ListFrames"
import type { RunningServer } from "@signalbox/attach/RunningServer"
import type { ToView } from "@signalbox/contracts/HostMessage"
import { CommandId, ThreadId } from "@signalbox/contracts/Ids"
import { type Problem, sentencesOf } from "@signalbox/contracts/Problem"
import type { ThreadSummary } from "@signalbox/contracts/ThreadView"
import type { WaitingThread } from "@signalbox/contracts/Waiting"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Schema from "effect/Schema"
import { randomUUID } from "node:crypto"
import * as vscode from "vscode"
import { offersOf, partsOf } from "./editor/Offers.ts"
import { openFile } from "./editor/OpenFile.ts"
import * as Log from "./log/Log.ts"
import * as Notifications from "./requests/Notifications.ts"
import * as ServerChoice from "./server/ServerChoice.ts"
import * as ServerLink from "./server/ServerLink.ts"
import * as Shared from "./server/Shared.ts"
import * as EditorServices from "./services/EditorServices.ts"
import * as Settings from "./Settings.ts"
import * as StatusBar from "./status/StatusBar.ts"
import * as TestCommands from "./testing/TestCommands.ts"
import * as ChatView from "./view/ChatView.ts"
import type * as ViewSession from "./view/ViewSession.ts"

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

  let threads: ReadonlyArray<ThreadSummary> | undefined
  let waiting: ReadonlyArray<WaitingThread> = []
  /** The last words about a server that can't be reached: they are logged once, however often it is tried. */
  let said = ""
  const link = ServerLink.make({
    // People who end a server and have no chat open do not get another one.
    find: Effect.suspend(() => ServerChoice.running(settingsNow())),
    version,
    onState: (state) => {
      if (state.state === "connected") {
        said = ""
        return log.info("server", "Connected", { url: state.server.url })
      }
      threads = undefined
      status.show(undefined)
      if (state.state !== "failed") return
      const words = sentencesOf(state.problem)
      if (words !== said) log.warn("server", words)
      said = words
    }
  })

  const services = EditorServices.make({ link, log, workspace: workspaceNow })

  const welcome = (): ReadonlyArray<ToView> => {
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
      { type: "offers", offers: offersOf(vscode.window.activeTextEditor) }
    ]
  }
  /** Whether a view was there before in this run of the window: it always comes back to what it showed. */
  let isReturning = false

  const host: ViewSession.Host = {
    log,
    find: () =>
      Effect.runPromise(
        Effect.match(find, {
          onSuccess: (server): RunningServer | { readonly problem: Problem } => {
            link.tryNow()
            return server
          },
          onFailure: ({ problem }) => ({ problem })
        })
      ),
    welcome,
    onAsk: (ask) => {
      switch (ask.type) {
        case "try":
          return link.tryNow()
        case "showing":
          if (ask.threadId !== undefined) services.showing(ask.threadId)
          return void context.workspaceState.update(shownKey, ask.threadId)
        case "openFile":
          return void openFile(ask.cwd, ask.path, ask.line)
        case "openPage":
          return void openPage(ask.href)
        case "openLink":
          return void openLink(ask.url)
        case "openFolder":
          return void vscode.commands.executeCommand("vscode.openFolder")
        case "manageTrust":
          return void vscode.commands.executeCommand("workbench.trust.manage")
        case "take":
          return void add(ask.offer)
      }
    }
  }
  const chat = ChatView.make(context.extensionUri, host)

  const openLink = async (url: string): Promise<void> => {
    const uri = vscode.Uri.parse(url)
    if (uri.scheme === "https" || uri.scheme === "http" || uri.scheme === "mailto") await vscode.env.openExternal(uri)
    else void vscode.window.showWarningMessage(`An address of the kind ${uri.scheme} is not opened: ${url}`)
  }

  /** Opens a place of the page in a browser, which comes in by an invitation for this once. */
  const openPage = async (href: string): Promise<void> => {
    const opened = await Effect.runPromise(
      Effect.gen(function* () {
        const server = yield* find
        const { token } = yield* link.once((client) =>
          client.inviteClient({ scope: "admin", name: "opened from VS Code" })
        )
        return `${server.url}/#token=${token}&then=${encodeURIComponent(href)}`
      }).pipe(Effect.match({ onSuccess: (url) => ({ url }), onFailure: ({ message }) => ({ message }) }))
    )
    if ("url" in opened) await vscode.env.openExternal(vscode.Uri.parse(opened.url))
    else void vscode.window.showErrorMessage(`The page can't be opened. ${opened.message}`)
  }

  const add = async (type: Parameters<typeof partsOf>[0]): Promise<void> => {
    const parts = partsOf(type, vscode.window.activeTextEditor)
    if (typeof parts === "string") return void vscode.window.showInformationMessage(parts)
    await chat.show({ type: "add", parts })
  }

  const notifications = Notifications.make({
    log,
    concerns: (cwd) =>
      settingsNow().notifyRequests && !chat.isVisible() && workspaceNow().folders.some((folder) => folder === cwd),
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
              onFailure: (error) => ("problem" in error ? error.problem : unanswered(error.reason))
            })
          )
      )
  })

  const following = Effect.all(
    [
      link.run,
      services.run,
      link.follow(
        (client) => client.watchThreads(),
        (frames) => {
          threads = frames.reduce(ListFrames.withFrame, threads ?? [])
          status.show(threads)
          services.take(threads)
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
      Effect.sync(() => log.error("server", "The window follows nothing any more", { cause: String(cause) }))
    )
  )

  const nextWaiting = async (): Promise<void> => {
    const first = threads?.find(({ waitingFor }) => waitingFor !== undefined)
    await chat.show(first === undefined ? undefined : { type: "show", threadId: first.threadId })
  }

  const tellOffers = (): void => chat.tell({ type: "offers", offers: offersOf(vscode.window.activeTextEditor) })
  const tellWorkspace = (): void => {
    chat.tell({ type: "workspace", workspace: workspaceNow() })
    services.look()
  }
  const command = (name: string, run: () => unknown): vscode.Disposable =>
    vscode.commands.registerCommand(`signalbox.${name}`, run)

  const parts: ReadonlyArray<vscode.Disposable> = [
    vscode.window.registerWebviewViewProvider(ChatView.viewId, chat),
    command("openChat", () => chat.show()),
    command("newThread", () => chat.show({ type: "newThread" })),
    command("openPage", () => openPage("#/")),
    command("nextWaiting", nextWaiting),
    command("addSelection", () => add("selection")),
    command("addFile", () => add("file")),
    command("addProblems", () => add("problems")),
    command("showLog", () => log.show()),
    command("openSettings", () => vscode.commands.executeCommand("workbench.action.openSettings", "signalbox.")),
    vscode.window.onDidChangeActiveTextEditor(tellOffers),
    vscode.window.onDidChangeTextEditorSelection(tellOffers),
    vscode.languages.onDidChangeDiagnostics(tellOffers),
    vscode.workspace.onDidChangeWorkspaceFolders(tellWorkspace),
    vscode.workspace.onDidGrantWorkspaceTrust(() => {
      tellWorkspace()
      link.tryNow()
    }),
    vscode.workspace.onDidChangeConfiguration((change) => {
      if (change.affectsConfiguration("signalbox")) link.tryNow()
    }),
    ...(context.extensionMode === vscode.ExtensionMode.Test ? TestCommands.make(host) : []),
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

const unanswered = (reason: "NoConnection" | "AnswerLost"): Problem => ({
  code: "internal",
  title:
    reason === "NoConnection"
      ? "There is no connection to the server."
      : "The connection ended before the server answered.",
  cause:
    reason === "NoConnection" ? "Nothing was answered." : "It may have been answered, or not. The chat shows which.",
  evidence: {},
  nextSteps: []
})
