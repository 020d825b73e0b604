/** Commands for tests in an extension host. They exist only there. */
import { ThreadId, TurnId, ProviderId } from "@signalbox/contracts/Ids"
import type { Watched } from "@signalbox/client/WatchedThread"
import { hasEnded } from "@signalbox/threads/TurnState"
import { randomUUID } from "node:crypto"
import * as vscode from "vscode"
import type { Host } from "../view/ViewSession.ts"
import * as TestView from "./TestView.ts"

/** The agent that tests speak with if they name none: Eliza, in its own process. */
const usualAgent = "eliza"

const textOf = (watched: Watched | undefined, from = 0): string =>
  watched?.state !== "here"
    ? ""
    : watched.view.items
        .slice(from)
        .flatMap((item) => (item.type === "message" ? item.text : []))
        .join("")

/** The commands, until they are disposed. A tab is a thread that the view for tests follows. */
export const make = (host: Host): ReadonlyArray<vscode.Disposable> => {
  const view = TestView.make(host)
  view.show()
  const agents = new Map<string, string>()
  const captured = new Map<string, number>()
  const items = (tabId: string): number => {
    const watched = view.state(ThreadId.make(tabId))
    return watched?.state === "here" ? watched.view.items.length : 0
  }
  const command = (name: string, run: (...args: ReadonlyArray<string>) => unknown): vscode.Disposable =>
    vscode.commands.registerCommand(`signalbox.test.${name}`, run)
  const ended = (watched: Watched, turnId: string): boolean =>
    watched.state === "here" && watched.view.turns.some((turn) => turn.turnId === turnId && hasEnded(turn.status))

  return [
    command("simulateNewTab", async (tabId = "", agent = usualAgent, cwd = "") => {
      const threadId = ThreadId.make(tabId)
      agents.set(tabId, agent)
      const folder = cwd === "" ? (vscode.workspace.workspaceFolders?.[0]?.uri.fsPath ?? "") : cwd
      await view.send(threadId, { type: "thread.create", provider: ProviderId.make(agent), cwd: folder })
      host.log.info("agent", "Thread created", { tabId, agent })
      view.watch(threadId)
      view.show()
      await view.until(threadId, ({ state }) => state === "here")
    }),
    command("getTabs", () => [...agents.keys()]),
    /** Resolves with how the turn ended. */
    command("sendPrompt", async (tabId = "", text = "") => {
      const threadId = ThreadId.make(tabId)
      const turnId = TurnId.make(randomUUID())
      host.log.info("agent", "Received prompt", { tabId })
      const provider = ProviderId.make(agents.get(tabId) ?? usualAgent)
      await view.send(threadId, { type: "turn.start", turnId, provider, prompt: [{ type: "text", text }] })
      const watched = await view.until(threadId, (one) => ended(one, turnId))
      return watched.state === "here" ? watched.view.turns.find((turn) => turn.turnId === turnId)?.status : undefined
    }),
    command("stop", async (tabId = "") => {
      const threadId = ThreadId.make(tabId)
      const isLive = (watched: Watched) =>
        watched.state === "here" &&
        watched.view.turns.some(({ status }) => status === "working" || status === "waiting")
      const watched = await view.until(threadId, isLive)
      const turn = watched.state === "here" ? watched.view.turns.findLast(({ status }) => !hasEnded(status)) : undefined
      if (turn !== undefined) await view.send(threadId, { type: "turn.interrupt", turnId: turn.turnId })
    }),
    command("hasActivePrompt", (tabId = "") => {
      const watched = view.state(ThreadId.make(tabId))
      return watched?.state === "here" && watched.view.turns.some(({ status }) => !hasEnded(status))
    }),
    command("startCapturingResponses", (tabId = "") => void captured.set(tabId, items(tabId))),
    command("getResponse", (tabId = "") => textOf(view.state(ThreadId.make(tabId)), captured.get(tabId))),
    command("stopCapturingResponses", (tabId = "") => void captured.delete(tabId)),
    command("getSession", (tabId = "") => {
      const watched = view.state(ThreadId.make(tabId))
      return watched?.state === "here" ? watched.view.session : undefined
    }),
    command("hide", () => view.hide()),
    command("show", () => view.show()),
    command("crash", () => view.crash())
  ]
}
