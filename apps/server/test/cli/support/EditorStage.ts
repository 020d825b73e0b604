/** An editor with a thread whose agent has files and terminals of Signalbox, while a page has the same thread. */
import type * as acp from "@agentclientprotocol/sdk"
import { ThreadId } from "@signalbox/contracts/Ids"
import type { ChainComponent } from "@signalbox/contracts/ChainConfig"
import type { AcpOptions } from "@signalbox/contracts/Provider"
import type { ThreadView } from "@signalbox/contracts/ThreadView"
import * as Effect from "effect/Effect"
import { writeFileSync } from "node:fs"
import { join } from "node:path"
import { served } from "../../support/ServedThreads.ts"
import * as SdkEditor from "./SdkEditor.ts"
import { temporaryFolder } from "./Signalbox.ts"

export interface Options {
  readonly capabilities: acp.ClientCapabilities
  /** What the settings grant the agent. */
  readonly access: Pick<AcpOptions, "files" | "hardLinks" | "terminals" | "environment"> & {
    readonly sandbox?: boolean
    readonly components?: ReadonlyArray<ChainComponent>
  }
  readonly rules?: ReadonlyArray<object>
}

/** The editor is called Quill. The folder has the file `a.txt` with the text `saved`. */
export const make = Effect.fnUntraced(function* ({ access, capabilities, rules = [] }: Options) {
  const state = SdkEditor.stateWithScripts({}, access)
  writeFileSync(join(state, "rules.json"), JSON.stringify({ rules }), { mode: 0o600 })
  const page = yield* served(state)
  const clientInfo = { name: "quill", title: "Quill", version: "1" }
  const editor = yield* SdkEditor.start(state, { capabilities, clientInfo })
  const cwd = temporaryFolder("project")
  const { sessionId } = yield* editor.newSession(cwd)
  const threadId = ThreadId.make(sessionId)
  const path = join(cwd, "a.txt")
  writeFileSync(path, "saved\n")
  return { state, page, editor, cwd, path, sessionId, threadId, watcher: yield* page.watch(threadId) }
})

export interface Answer {
  readonly result?: { readonly [name: string]: unknown }
  readonly error?: { readonly code: number; readonly message: string; readonly data?: unknown }
}

/** What the agent was answered, in order. It says it: `METHOD {"jsonrpc":…}`. */
export const answersIn = ({ items }: ThreadView): ReadonlyArray<Answer> =>
  items
    .flatMap((item) => (item.type === "message" ? [item.text] : []))
    .join("")
    .split(/(?=(?:fs|terminal|_ide)\/[a-z_]{1,20} \{)/)
    .filter((text) => /^(?:fs|terminal|_ide)\//.test(text))
    .map((text) => JSON.parse(text.slice(text.indexOf(" ") + 1)))

export const warningsIn = ({ items }: ThreadView): ReadonlyArray<string> =>
  items.flatMap((item) => (item.type === "warning" ? [item.message] : []))

export const ended = ({ turns }: ThreadView) => turns.at(-1)?.status === "completed"
