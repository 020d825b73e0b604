/** The official SDK as a client that offers everything: it answers each request of an agent, and keeps all that it heard. */
import * as acp from "@agentclientprotocol/sdk"
import { spawn } from "node:child_process"
import { Readable, Writable } from "node:stream"
import { programOf } from "../../../../scripts/suite/Program.ts"

/** The words that start a stand-in agent. */
export const standIn = (name: string, ...args: ReadonlyArray<string>): ReadonlyArray<string> => [
  process.execPath,
  programOf(new URL(`../../src/${name}/main.ts`, import.meta.url)),
  ...args
]

/** The agent's words to the client, in order. */
export interface Heard {
  /** The methods that the agent has called. */
  readonly asked: Array<string>
  readonly updates: Array<acp.SessionUpdate>
}

/** The agent's text, piece by piece. */
export const piecesOf = ({ updates }: Heard): ReadonlyArray<string> =>
  updates.flatMap((update) =>
    update.sessionUpdate === "agent_message_chunk" && update.content.type === "text" ? [update.content.text] : []
  )

/** The agent's text as one. */
export const textOf = (heard: Heard): string => piecesOf(heard).join("")

export interface Visit {
  readonly agent: acp.ClientContext
  readonly heard: Heard
  readonly initialized: acp.InitializeResponse
  readonly newSession: (cwd: string, mcpServers?: Array<acp.McpServer>) => Promise<acp.NewSessionResponse>
  readonly prompt: (sessionId: string, text: string) => Promise<acp.PromptResponse>
  /** Completes with the first update that fits, also one of before. */
  readonly hears: (fits: (update: acp.SessionUpdate) => boolean) => Promise<acp.SessionUpdate>
}

/** Starts an agent, visits it, and ends its input. Returns its exit code. */
export const withAgent = async (
  [command = "", ...args]: ReadonlyArray<string>,
  use: (visit: Visit) => Promise<void>
): Promise<number | null> => {
  const child = spawn(command, args, { stdio: ["pipe", "pipe", "inherit"] })
  const exited = new Promise<number | null>((resolve) => child.on("exit", resolve))
  const heard: Heard = { asked: [], updates: [] }
  const listeners = new Set<() => void>()
  const files = new Map<string, string>()
  const { elicitation, fs, session, terminal } = acp.methods.client
  const asked = <A>(method: string, answer: A): A => {
    heard.asked.push(method)
    return answer
  }
  await acp
    .client({ name: "whole" })
    .onNotification(session.update, ({ params }) => {
      heard.updates.push(params.update)
      listeners.forEach((listener) => listener())
    })
    .onNotification(elicitation.complete, () => asked(elicitation.complete, undefined))
    .onRequest(session.requestPermission, ({ params }) =>
      asked(session.requestPermission, {
        outcome: { outcome: "selected" as const, optionId: params.options[0]?.optionId ?? "" }
      })
    )
    .onRequest(fs.writeTextFile, ({ params }) => {
      files.set(params.path, params.content)
      return asked(fs.writeTextFile, {})
    })
    .onRequest(fs.readTextFile, ({ params }) => asked(fs.readTextFile, { content: files.get(params.path) ?? "" }))
    .onRequest(terminal.create, () => asked(terminal.create, { terminalId: "t" }))
    .onRequest(terminal.output, () => asked(terminal.output, { output: "printed\n", truncated: false }))
    .onRequest(terminal.waitForExit, () => asked(terminal.waitForExit, { exitCode: 0 }))
    .onRequest(terminal.kill, () => asked(terminal.kill, {}))
    .onRequest(terminal.release, () => asked(terminal.release, {}))
    .onRequest(elicitation.create, ({ params }) =>
      asked(
        elicitation.create,
        params.mode === "form"
          ? { action: "accept" as const, content: { color: "red" } }
          : { action: "decline" as const }
      )
    )
    .connectWith(acp.ndJsonStream(Writable.toWeb(child.stdin), Readable.toWeb(child.stdout)), async (agent) => {
      const initialized = await agent.request(acp.methods.agent.initialize, {
        protocolVersion: 1,
        clientCapabilities: {
          fs: { readTextFile: true, writeTextFile: true },
          terminal: true,
          elicitation: { form: {}, url: {} }
        }
      })
      await use({
        agent,
        heard,
        initialized,
        newSession: (cwd, mcpServers = []) => agent.request(acp.methods.agent.session.new, { cwd, mcpServers }),
        prompt: (sessionId, text) =>
          agent.request(acp.methods.agent.session.prompt, { sessionId, prompt: [{ type: "text", text }] }),
        hears: (fits) =>
          new Promise((resolve) => {
            const look = () => {
              const update = heard.updates.find(fits)
              if (update === undefined) return
              listeners.delete(look)
              resolve(update)
            }
            listeners.add(look)
            look()
          })
      })
    })
  child.stdin.end()
  return exited
}
