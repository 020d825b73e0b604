/** Answers questions about code: a language server does, or an editor in its place. */
import type { Diagnostic } from "@signalbox/lsp/features/Diagnostic"
import type { Hovering } from "@signalbox/lsp/features/Hover"
import type { Navigation } from "@signalbox/lsp/features/Navigation"
import type { Asked } from "@signalbox/lsp/features/Request"
import type { Symbols } from "@signalbox/lsp/features/Symbols"
import type { LanguageServerError } from "@signalbox/lsp/LanguageServerError"
import type { FileDiagnostics } from "@signalbox/lsp/servers/DiagnosticStore"
import type * as Effect from "effect/Effect"

export interface CodeServer extends Symbols, Hovering, Pick<Navigation, "definition" | "references"> {
  /** Asks by a method of the Language Server Protocol that has no function here. */
  readonly request: (asked: Asked<unknown>) => Effect.Effect<unknown, LanguageServerError>
}

type Asking = Effect.Effect<ReadonlyArray<CodeServer>, LanguageServerError>

/** The findings about one file. */
export interface FoundInFile extends Pick<FileDiagnostics, "path" | "server" | "isCurrent"> {
  readonly items: ReadonlyArray<Pick<Diagnostic, "range" | "severity" | "message" | "code" | "source">>
}

export interface CodeServers {
  /** Returns the servers that know the language of the file. */
  readonly forFile: (path: string) => Asking
  /** Returns the servers for questions without a file. */
  readonly forFolder: (folder: string) => Asking
  readonly diagnostics: {
    /** `waitingFor`: who has not reported about the text as it is now. */
    readonly of: (
      path: string
    ) => Effect.Effect<
      { readonly found: ReadonlyArray<FoundInFile>; readonly waitingFor: ReadonlyArray<string> },
      LanguageServerError
    >
    readonly everywhere: () => Effect.Effect<ReadonlyArray<FoundInFile>>
  }
}
