/** Answers what a server asks, and hears what it reports. Every request gets an answer. */
import { RpcError } from "@signalbox/acp/JsonRpc"
import * as Effect from "effect/Effect"
import * as Predicate from "effect/Predicate"
import { basename } from "node:path"
import * as FileUri from "../FileUri.ts"
import type * as LspPeer from "../LspPeer.ts"
import type { Registrations } from "./Registrations.ts"
import type { Readiness } from "./Readiness.ts"

/** A message of a server to people, or for its log. */
export interface Said {
  readonly kind: "error" | "warning" | "info" | "log" | "debug"
  /** `message`: for people. `log`: for the log. `telemetry` is never sent anywhere. */
  readonly channel: "message" | "log" | "telemetry" | "trace"
  readonly text: string
}

/** A change that a server wants to make: a write. */
export interface EditWish {
  readonly server: string
  readonly root: string
  readonly label: string | undefined
  /** `WorkspaceEdit`, as the server sent it. */
  readonly edit: unknown
}

export interface EditAnswer {
  readonly applied: boolean
  readonly failureReason?: string
}

export interface Parts {
  readonly server: string
  readonly root: string
  readonly settings: unknown
  readonly registrations: () => Registrations
  readonly readiness: Readiness
  readonly onPublished: (params: unknown) => Effect.Effect<void>
  /** The server wants to be asked for diagnostics anew. */
  readonly onDiagnosticsStale: () => void
  /** The server offers, or wants, something else than before. */
  readonly onRegistered: () => void
  readonly onEdit: ((wish: EditWish) => Effect.Effect<EditAnswer>) | undefined
  readonly onSaid: (said: Said) => void
  readonly onMalformed: (method: string, count: number, sample: string) => void
}

const kinds = ["error", "warning", "info", "log", "debug"] as const

/** Characters of what a server says. */
const mostWords = 4000

const textOf = (value: unknown): string => {
  const text = typeof value === "string" ? value : (JSON.stringify(value) ?? "")
  return text.length > mostWords ? `${text.slice(0, mostWords)}…` : text
}

const saidOf = (channel: Said["channel"], params: unknown): Said => {
  const { message, type } = Predicate.isObject(params) ? params : { message: params, type: undefined }
  return { channel, kind: (typeof type === "number" ? kinds[type - 1] : undefined) ?? "log", text: textOf(message) }
}

/** The part of settings with this dotted name. Null if there is none, as the protocol wants it. */
const sectionOf = (settings: unknown, section: unknown): unknown => {
  if (typeof section !== "string" || section === "") return settings ?? null
  if (Predicate.isObject(settings) && Object.hasOwn(settings, section)) return settings[section] ?? null
  let part = settings
  for (const name of section.split(".")) {
    if (!Predicate.isObject(part) || !Object.hasOwn(part, name)) return null
    part = part[name]
  }
  return part ?? null
}

/** A folder as the protocol names it. */
export const workspaceFolder = (path: string) => ({ uri: FileUri.of(path), name: basename(path) || path })

const nothing = Effect.succeed(null)

const refusedEdit = {
  applied: false,
  failureReason: "Signalbox applies no edits that a language server makes by itself. Ask for the edit instead."
} satisfies EditAnswer

export const handlers = (parts: Parts): LspPeer.Handlers<never> => {
  const configuration = (params: unknown): unknown => {
    const items = Predicate.isObject(params) ? params["items"] : undefined
    if (!Array.isArray(items)) return []
    return items.map((item: unknown) =>
      sectionOf(parts.settings, Predicate.isObject(item) ? item["section"] : undefined)
    )
  }

  const register = (params: unknown) =>
    Effect.sync(() => {
      const lost = parts.registrations().register(params)
      if (lost > 0) parts.onMalformed("client/registerCapability", lost, "registrations")
      parts.onRegistered()
      return null
    })

  const unregister = (params: unknown) =>
    Effect.sync(() => {
      const lost = parts.registrations().unregister(params)
      if (lost > 0) parts.onMalformed("client/unregisterCapability", lost, "unregisterations")
      parts.onRegistered()
      return null
    })

  const applyEdit = (params: unknown) => {
    const { onEdit, root, server } = parts
    if (!Predicate.isObject(params) || !Predicate.isObject(params["edit"]))
      return Effect.fail(RpcError.invalidParams("workspace/applyEdit has no edit"))
    if (onEdit === undefined) return Effect.succeed(refusedEdit)
    const { edit, label } = params
    return onEdit({ server, root, label: typeof label === "string" ? label : undefined, edit })
  }

  const stale = Effect.sync(() => {
    parts.onDiagnosticsStale()
    return null
  })

  const say = (channel: Said["channel"]) => (params: unknown) =>
    Effect.sync(() => parts.onSaid(saidOf(channel, params)))

  const requests = new Map<string, LspPeer.OnRequest<never>>([
    ["workspace/configuration", (params) => Effect.sync(() => configuration(params))],
    // Other folders have servers of their own.
    ["workspace/workspaceFolders", () => Effect.succeed([workspaceFolder(parts.root)])],
    ["workspace/applyEdit", applyEdit],
    ["workspace/diagnostic/refresh", () => stale],
    // Nothing of these is kept. Some servers ask although we don't claim to understand it.
    ["workspace/codeLens/refresh", () => nothing],
    ["workspace/inlayHint/refresh", () => nothing],
    ["workspace/semanticTokens/refresh", () => nothing],
    ["client/registerCapability", register],
    ["client/unregisterCapability", unregister],
    ["window/workDoneProgress/create", () => nothing],
    [
      "window/showMessageRequest",
      // Nobody is there who could choose an action.
      (params) => Effect.as(say("message")(params), null)
    ],
    ["window/showDocument", () => Effect.succeed({ success: false })]
  ])
  const notifications = new Map<string, LspPeer.OnNotification<never>>([
    ["textDocument/publishDiagnostics", parts.onPublished],
    ["$/progress", (params) => Effect.sync(() => parts.readiness.onProgress(params))],
    ["experimental/serverStatus", (params) => Effect.sync(() => parts.readiness.onStatus(params))],
    ["window/logMessage", say("log")],
    ["window/showMessage", say("message")],
    [
      "telemetry/event",
      (params) => Effect.sync(() => parts.onSaid({ channel: "telemetry", kind: "log", text: textOf(params) }))
    ],
    ["$/logTrace", say("trace")]
  ])
  return { requests, notifications }
}
