/** Findings of the editor as language servers have them. Pure. */
import type { Severity } from "@signalbox/lsp/features/Diagnostic"
import type { FoundInFile } from "@signalbox/ide/servers/CodeServer"
import { rangeOf, type Span } from "./Places.ts"

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
