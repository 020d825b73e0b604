/** The agent that suggests by a script: how it is started, and what it has received. */
import type { Suggestion } from "@signalbox/acp/NesSchema"
import * as Positions from "@signalbox/acp/Positions"
import * as Effect from "effect/Effect"
import { existsSync, readFileSync, watch } from "node:fs"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { temporaryFolder } from "./Signalbox.ts"

const program = fileURLToPath(new URL("../../agents/suggester.mjs", import.meta.url))

/** What the agent does (`test/agents/suggester.mjs`). */
export interface Script {
  readonly capabilities?: unknown
  /** The settings of its sessions, as they begin. Each change is answered by the same. */
  readonly configOptions?: ReadonlyArray<object>
  readonly answers?: ReadonlyArray<ReadonlyArray<Suggestion>>
  readonly errors?: Readonly<Record<string, { readonly code: number; readonly message: string }>>
  /** The methods that it never answers. */
  readonly silent?: ReadonlyArray<string>
  /** The method at which it ends. */
  readonly dies?: string
  /** Whether it stays when it is asked to end. */
  readonly stays?: boolean
}

export interface Message {
  readonly method: string
  readonly params: {
    readonly uri?: string
    readonly id?: string
    readonly reason?: string
    readonly text?: string
    readonly version?: number
    readonly contentChanges?: ReadonlyArray<Positions.Change>
    readonly [name: string]: unknown
  }
}

export interface Suggester {
  /** Its command line, for `--agent`. */
  readonly line: string
  readonly env: Readonly<Record<string, string>>
  /** Its processes, in the order of their starts. */
  readonly pids: () => ReadonlyArray<number>
  /** What it has received of these methods, in order. */
  readonly received: (...methods: ReadonlyArray<string>) => ReadonlyArray<Message>
  /** Completes when it has received one of this method. */
  readonly hears: (method: string) => Effect.Effect<void>
  /** How suggestions and the session ended: the method, the id and the reason. */
  readonly ends: () => ReadonlyArray<ReadonlyArray<string>>
  /** The text that it has of a document. */
  readonly textOf: (uri: string) => string | undefined
}

export const make = (script: Script): Suggester => {
  const folder = temporaryFolder("suggester")
  const log = join(folder, "log")
  const all = (): ReadonlyArray<Partial<Message> & { readonly pid?: number }> =>
    existsSync(log)
      ? readFileSync(log, "utf8")
          .split("\n")
          // The last line may still be written.
          .slice(0, -1)
          .map((line) => JSON.parse(line))
      : []
  const messages = (): ReadonlyArray<Message> =>
    all().flatMap(({ method, params }) => (method === undefined ? [] : [{ method, params: params ?? {} }]))
  const received: Suggester["received"] = (...methods) => messages().filter(({ method }) => methods.includes(method))
  return {
    line: `${process.execPath} ${program}`,
    env: { SUGGESTER: JSON.stringify({ ...script, log }) },
    pids: () => all().flatMap(({ pid }) => pid ?? []),
    received,
    ends: () =>
      received("nes/accept", "nes/reject", "nes/close").map(({ method, params: { id, reason } }) =>
        [method, id, reason].filter((part) => part !== undefined)
      ),
    hears: (method) =>
      Effect.callback((resume) => {
        const look = () => {
          if (!messages().some((message) => message.method === method)) return
          watcher.close()
          resume(Effect.void)
        }
        const watcher = watch(folder, look)
        look()
        return Effect.sync(() => watcher.close())
      }),
    textOf: (uri) => {
      let text: Positions.Lines | undefined
      for (const { method, params } of messages()) {
        if (params.uri !== uri) continue
        if (method === "document/didOpen") text = Positions.of(params.text ?? "")
        if (method === "document/didChange") text = text?.change(params.contentChanges ?? [])
      }
      return text?.text
    }
  }
}
