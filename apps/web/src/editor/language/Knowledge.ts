/** What language servers know of the files of a thread, as the page shows it. */
import type { Diagnostic, LanguageFrame, LanguageServerState } from "@signalbox/contracts/LanguageFeatures"

type Frame<Type extends LanguageFrame["type"]> = Extract<LanguageFrame, { readonly type: Type }>

/** Who knows a file. */
export type KnownBy = Pick<Frame<"document">, "offered" | "servers">

/** What one server finds in a file. */
export type Findings = Omit<Frame<"diagnostics">, "path" | "type">

export interface Knowledge {
  readonly servers: ReadonlyArray<LanguageServerState>
  readonly files: ReadonlyMap<string, KnownBy>
  /** Findings by path, and then by server. */
  readonly findings: ReadonlyMap<string, ReadonlyMap<string, Findings>>
  /** What a question came to that has nothing to show, one sentence. */
  readonly note: string | undefined
}

export const nothing: Knowledge = { servers: [], files: new Map(), findings: new Map(), note: undefined }

export const step = (known: Knowledge, frame: LanguageFrame): Knowledge => {
  switch (frame.type) {
    case "on":
      return nothing
    case "servers":
      return { ...known, servers: frame.servers }
    case "document":
      return { ...known, files: new Map(known.files).set(frame.path, frame) }
    case "diagnostics": {
      const { path, server } = frame
      const findings = new Map(known.findings.get(path)).set(server, frame)
      return { ...known, findings: new Map(known.findings).set(path, findings) }
    }
  }
}

/** Everything that is found in a file, as its servers have it. */
export const foundIn = ({ findings }: Knowledge, path: string): ReadonlyArray<Findings> => [
  ...(findings.get(path)?.values() ?? [])
]

/** How many of each kind people see in a file. `more`: those that are not listed. */
export const countsOf = (
  findings: ReadonlyArray<Findings>
): { readonly [Kind in Diagnostic["severity"] | "more"]: number } => {
  const counts = { error: 0, warning: 0, information: 0, hint: 0, more: 0 }
  for (const { diagnostics, total } of findings) {
    for (const { severity } of diagnostics) counts[severity] += 1
    counts.more += total - diagnostics.length
  }
  return counts
}

/** Whether a frame has an error or a warning that its server had not found in that file before. */
export const isNews = (known: Knowledge, frame: LanguageFrame): frame is Frame<"diagnostics"> => {
  if (frame.type !== "diagnostics") return false
  const before = known.findings.get(frame.path)?.get(frame.server)?.diagnostics ?? []
  const had = new Set(before.map(({ message }) => message))
  return frame.diagnostics.some(
    ({ message, severity }) => (severity === "error" || severity === "warning") && !had.has(message)
  )
}
