import type { Answer } from "./Connection.ts"
import type { Emulator } from "./Emulator.ts"
import { isObject, textIn, type Json, type JsonObject } from "../Json.ts"

/** What the user is asked to allow. */
export interface Subject {
  readonly toolCallId: string
  readonly title: string
  readonly kind: string
  /** The token that stands in an allowlist: `Shell(npm)`, `Mcp(server:tool)`, `WebFetch(example.com)`. */
  readonly token: string
  readonly rawInput?: JsonObject
  readonly content?: ReadonlyArray<JsonObject>
}

type Ask = (method: string, params: JsonObject) => Promise<Answer>

/** Whether a subject may run without a question: by the approval mode, and by rules of the user and the project. */
export type Verdict = "allowed" | "denied" | "ask"

const options: ReadonlyArray<JsonObject> = [
  { optionId: "allow-once", name: "Allow once", kind: "allow_once" },
  { optionId: "allow-always", name: "Allow always", kind: "allow_always" },
  { optionId: "reject-once", name: "Reject", kind: "reject_once" }
]

/** How `perm_mode`, the command line and `cli-config.json` want it, in this order. */
export const approvalMode = (emulator: Emulator): string => {
  const { quirks } = emulator.environment
  if (emulator.commandLine.force || quirks.has("perm_none")) return "unrestricted"
  return quirks.text("perm_mode", emulator.config.approvalMode ?? "allowlist")
}

export const verdict = (emulator: Emulator, cwd: string, token: string): Verdict => {
  if (covers(emulator.config.tokens("deny", cwd), token)) return "denied"
  if (approvalMode(emulator) === "unrestricted" || covers(emulator.config.tokens("allow", cwd), token)) return "allowed"
  return "ask"
}

/** Asks the client; resolves to whether it may run. */
export const askPermission = async (
  emulator: Emulator,
  session: { readonly id: string; readonly cwd: string },
  subject: Subject,
  ask: Ask
): Promise<boolean> => {
  const { quirks } = emulator.environment
  const { toolCallId, title, kind } = subject
  const content = subject.content ?? reason(emulator, session.cwd, subject.token)
  const rawInput = quirks.has("perm_no_rawinput") ? undefined : subject.rawInput
  const answer = await ask("session/request_permission", {
    sessionId: session.id,
    toolCall: { toolCallId, title, kind, status: "pending", rawInput, content },
    options
  })
  if (!answer.ok) return false
  const chosen = await selectedOption(emulator, answer.result)
  if (chosen === "allow-always" && quirks.has("allow_always_persists")) emulator.config.allow(subject.token)
  return chosen === "allow-once" || chosen === "allow-always"
}

/** The option of a well-formed answer. April's builds did not survive one without its `outcome` wrapper. */
const selectedOption = async (emulator: Emulator, result: Json): Promise<string | undefined> => {
  const outcome = isObject(result) ? result["outcome"] : undefined
  if (isObject(outcome)) return textIn(outcome, "outcome") === "selected" ? textIn(outcome, "optionId") : undefined
  if (emulator.environment.quirks.has("perm_strict_result")) {
    emulator.warn("TypeError: Cannot read properties of undefined (reading 'outcome')")
    await emulator.exit(1, "perm_strict_result")
  }
  return undefined
}

const reason = (emulator: Emulator, cwd: string, token: string): ReadonlyArray<JsonObject> | undefined => {
  const [, command] = /^Shell\((.*)\)$/.exec(token) ?? []
  if (command === undefined) return undefined
  const listed = emulator.config.tokens("allow", cwd).some((rule) => rule.startsWith("Shell("))
  const text = listed ? `Not in allowlist: ${command}` : "Shell allowlist is empty"
  return [{ type: "content", content: { type: "text", text } }]
}

/** A rule is the token itself, or has `*` or `**` for its argument. */
const covers = (rules: ReadonlyArray<string>, token: string): boolean => {
  const family = token.slice(0, token.indexOf("("))
  return rules.some((rule) => rule === token || rule === `${family}(*)` || rule === `${family}(**)`)
}
