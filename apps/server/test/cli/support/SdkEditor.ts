/** An editor on the official SDK that starts `signalbox acp`, and what it heard. */
import * as acp from "@agentclientprotocol/sdk"
import type { ChainComponent } from "@signalbox/contracts/ChainConfig"
import * as IdeOperation from "@signalbox/contracts/IdeOperation"
import type { AcpOptions } from "@signalbox/contracts/Provider"
import * as Effect from "effect/Effect"
import { writeFileSync } from "node:fs"
import { join } from "node:path"
import { Readable, Writable } from "node:stream"
import { scriptedCommand } from "../../support/ServedThreads.ts"
import * as Signalbox from "./Signalbox.ts"

/** A request for permission that the editor has got. */
export interface Asked {
  readonly params: acp.RequestPermissionRequest
  readonly answer: (optionId: string) => void
  /** Completes when the request is withdrawn. */
  readonly withdrawn: Promise<void>
}

/** A form or an address that the editor has got. */
export interface Form {
  readonly params: acp.CreateElicitationRequest
  readonly answer: (answer: acp.CreateElicitationResponse) => void
  /** Completes when it is withdrawn. */
  readonly withdrawn: Promise<void>
}

/** A request for the editor's files or terminals. */
export interface Called<Params, Answer> {
  readonly params: Params
  readonly answer: (answer: Answer) => void
  readonly refuse: (error: acp.RequestError) => void
  /** Completes when it is withdrawn. */
  readonly withdrawn: Promise<void>
}

/** A question about code. */
export interface Question extends Called<Readonly<Record<string, unknown>>, unknown> {
  readonly method: string
}

/** The requests for what the editor offers, by what they are about. */
export interface Calls {
  readonly reads: Array<Called<acp.ReadTextFileRequest, acp.ReadTextFileResponse>>
  readonly writes: Array<Called<acp.WriteTextFileRequest, acp.WriteTextFileResponse>>
  readonly creates: Array<Called<acp.CreateTerminalRequest, acp.CreateTerminalResponse>>
  readonly outputs: Array<Called<acp.TerminalOutputRequest, acp.TerminalOutputResponse>>
  readonly waits: Array<Called<acp.WaitForTerminalExitRequest, acp.WaitForTerminalExitResponse>>
  readonly kills: Array<Called<acp.KillTerminalRequest, acp.KillTerminalResponse>>
  readonly releases: Array<Called<acp.ReleaseTerminalRequest, acp.ReleaseTerminalResponse>>
  readonly questions: Array<Question>
}

export interface SdkEditor extends Signalbox.Running {
  readonly agent: acp.ClientContext
  readonly initialized: acp.InitializeResponse
  readonly updates: ReadonlyArray<acp.SessionUpdate>
  readonly asked: ReadonlyArray<Asked>
  readonly forms: ReadonlyArray<Form>
  readonly calls: Calls
  /** Completes when what was heard is as `holds` wants it. */
  readonly until: (holds: (editor: Heard) => boolean) => Effect.Effect<void>
  readonly request: <A>(call: (agent: acp.ClientContext) => Promise<A>) => Effect.Effect<A>
  /** Makes a call that fails, and returns its error. */
  readonly refused: (call: (agent: acp.ClientContext) => Promise<unknown>) => Effect.Effect<acp.RequestError>
  readonly newSession: (cwd: string) => Effect.Effect<acp.NewSessionResponse>
  readonly prompt: (sessionId: string, ...steps: ReadonlyArray<object>) => Effect.Effect<acp.PromptResponse>
}

export interface Heard {
  readonly updates: Array<acp.SessionUpdate>
  readonly asked: Array<Asked>
  readonly forms: Array<Form>
  readonly calls: Calls
}

/** A state folder whose settings have the scripted agent as `scripts`. */
export const stateWithScripts = (
  env: Readonly<Record<string, string>> = {},
  access: Pick<AcpOptions, "files" | "hardLinks" | "terminals" | "environment"> & {
    readonly sandbox?: boolean
    readonly components?: ReadonlyArray<ChainComponent>
  } = {}
): string => {
  const state = Signalbox.temporaryFolder("state")
  const agents = { scripts: { ...scriptedCommand, env, ...access } }
  writeFileSync(join(state, "settings.json"), JSON.stringify({ agents }), { mode: 0o600 })
  return state
}

const { agent: to, client: from } = acp.methods

/** Starts it, and initializes. It is killed with the scope. */
export const start = Effect.fnUntraced(function* (
  state: string,
  {
    capabilities = {},
    clientInfo,
    flags = ["--provider", "scripts"]
  }: {
    readonly capabilities?: acp.ClientCapabilities
    readonly clientInfo?: acp.Implementation
    readonly flags?: ReadonlyArray<string>
  } = {}
) {
  const running = yield* Signalbox.start(["acp", "--state-dir", state, ...flags])
  const calls: Calls = {
    reads: [],
    writes: [],
    creates: [],
    outputs: [],
    waits: [],
    kills: [],
    releases: [],
    questions: []
  }
  const heard: Heard = { updates: [], asked: [], forms: [], calls }
  const listeners = new Set<() => void>()
  const noticed = () => listeners.forEach((listener) => listener())
  const into =
    <Params, Answer>(list: Array<Called<Params, Answer>>) =>
    ({ params, signal }: { readonly params: Params; readonly signal: AbortSignal }) => {
      const { promise, reject, resolve } = Promise.withResolvers<Answer>()
      const withdrawn = Promise.withResolvers<void>()
      signal.addEventListener("abort", () => withdrawn.resolve())
      list.push({ params, answer: resolve, refuse: reject, withdrawn: withdrawn.promise })
      noticed()
      return promise
    }
  // Updates come first: the SDK asks one handler after the other, and an answer would overtake an update that many are asked about.
  const client = acp.client({ name: "editor" }).onNotification(from.session.update, ({ params }) => {
    heard.updates.push(params.update)
    noticed()
  })
  for (const method of Object.values(IdeOperation.methods)) {
    const asked: Array<Called<Readonly<Record<string, unknown>>, unknown>> = []
    const hear = into(asked)
    client.onRequest(method, recordIn, (request) => {
      const answer = hear(request)
      const one = asked.pop()
      if (one !== undefined) calls.questions.push({ ...one, method })
      noticed()
      return answer
    })
  }
  const connection = client
    .onRequest(from.session.requestPermission, ({ params, signal }) => {
      const { promise, resolve } = Promise.withResolvers<acp.RequestPermissionResponse>()
      const withdrawn = Promise.withResolvers<void>()
      signal.addEventListener("abort", () => withdrawn.resolve())
      heard.asked.push({
        params,
        answer: (optionId) => resolve({ outcome: { outcome: "selected", optionId } }),
        withdrawn: withdrawn.promise
      })
      noticed()
      return promise
    })
    .onRequest(from.elicitation.create, ({ params, signal }) => {
      const { promise, resolve } = Promise.withResolvers<acp.CreateElicitationResponse>()
      const withdrawn = Promise.withResolvers<void>()
      signal.addEventListener("abort", () => withdrawn.resolve())
      heard.forms.push({ params, answer: resolve, withdrawn: withdrawn.promise })
      noticed()
      return promise
    })
    .onRequest(from.fs.readTextFile, into(calls.reads))
    .onRequest(from.fs.writeTextFile, into(calls.writes))
    .onRequest(from.terminal.create, into(calls.creates))
    .onRequest(from.terminal.output, into(calls.outputs))
    .onRequest(from.terminal.waitForExit, into(calls.waits))
    .onRequest(from.terminal.kill, into(calls.kills))
    .onRequest(from.terminal.release, into(calls.releases))
    .connect(acp.ndJsonStream(Writable.toWeb(running.stdin), Readable.toWeb(running.stdout)))
  const { agent } = connection
  const request: SdkEditor["request"] = (call) => Effect.promise(() => call(agent))
  const initialized = yield* request((to_) =>
    to_.request(to.initialize, {
      protocolVersion: 1,
      clientCapabilities: capabilities,
      ...(clientInfo && { clientInfo })
    })
  )
  const editor: SdkEditor = {
    ...running,
    agent,
    initialized,
    updates: heard.updates,
    asked: heard.asked,
    forms: heard.forms,
    calls,
    request,
    refused: (call) =>
      Effect.promise(async () => {
        try {
          await call(agent)
        } catch (error) {
          if (error instanceof acp.RequestError) return error
          throw error
        }
        throw new Error("The call did not fail")
      }),
    until: (holds) =>
      Effect.callback((resume) => {
        const look = () => {
          if (!holds(heard)) return
          listeners.delete(look)
          resume(Effect.void)
        }
        listeners.add(look)
        look()
        return Effect.sync(() => listeners.delete(look))
      }),
    newSession: (cwd) => request((one) => one.request(to.session.new, { cwd, mcpServers: [] })),
    prompt: (sessionId, ...steps) =>
      request((one) => one.request(to.session.prompt, { sessionId, prompt: [promptOf(...steps)] }))
  }
  return editor
})

const recordIn = (params: unknown): Readonly<Record<string, unknown>> =>
  typeof params === "object" && params !== null ? { ...params } : {}

export const promptOf = (...steps: ReadonlyArray<object>): acp.ContentBlock => ({
  type: "text",
  text: JSON.stringify(steps)
})

/** The agent's text, as one. */
export const textOf = (updates: ReadonlyArray<acp.SessionUpdate>): string => textsOf(updates, "agent_message_chunk")

export const textsOf = (updates: ReadonlyArray<acp.SessionUpdate>, kind: acp.SessionUpdate["sessionUpdate"]): string =>
  updates
    .map((update) =>
      update.sessionUpdate === kind && "content" in update && !Array.isArray(update.content)
        ? textIn(update.content)
        : ""
    )
    .join("")

const textIn = (content: unknown): string =>
  typeof content === "object" && content !== null && "text" in content ? String(content.text) : ""

/** The updates of a kind. */
export const ofKind = <Kind extends acp.SessionUpdate["sessionUpdate"]>(
  updates: ReadonlyArray<acp.SessionUpdate>,
  kind: Kind
) =>
  updates.filter(
    (update): update is Extract<acp.SessionUpdate, { sessionUpdate: Kind }> => update.sessionUpdate === kind
  )
