/** Findings of the editor as language servers have them. Pure. */
import type { Severity } from "@signalbox/lsp/features/Diagnostic"
import type { FoundInFile } from "@signalbox/ide/servers/CodeServer"
import type { SessionFiles } from "./FileNames.ts"
import { type Address, rangeOf, type Span } from "./Places.ts"

type Code = string | number

/** A finding of the editor. */
export interface Noted {
  readonly range: Span
  readonly message: string
  readonly severity: number
  readonly code?: Code | { readonly value: Code }
  readonly source?: string
}

type Item = FoundInFile["items"][number]

const severities: ReadonlyArray<Severity> = ["error", "warning", "information", "hint"]

/** Most characters of a message. */
const longest = 8 * 1024

const codeOf = (code: Noted["code"]): Item["code"] => (typeof code === "object" ? code.value : code)

export const findingOf = ({ code, message, range, severity, source }: Noted): Item => {
  const found = codeOf(code)
  return {
    range: rangeOf(range),
    severity: severities[severity] ?? "error",
    message: message.length > longest ? `${message.slice(0, longest)}…` : message,
    ...(found !== undefined && { code: found }),
    ...(source !== undefined && { source })
  }
}

/** Findings of the editor about one file. */
export type Listed = readonly [uri: Address, items: ReadonlyArray<Noted>]

/** The first findings in files of the disk that a session has. A window may list many more. */
export const firstOf = (listed: ReadonlyArray<Listed>, { has, withoutLinks }: SessionFiles, most: number) => {
  let left = most
  const found: Array<{ readonly path: string; readonly items: ReadonlyArray<Item> }> = []
  for (const [uri, items] of listed) {
    const path = uri.scheme === "file" ? withoutLinks(uri.fsPath) : undefined
    if (path === undefined || !has(path)) continue
    found.push({ path, items: items.slice(0, left).map(findingOf) })
    left -= Math.min(left, items.length)
    if (left === 0) return found
  }
  return found
}
