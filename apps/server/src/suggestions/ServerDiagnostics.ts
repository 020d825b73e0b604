/** What language servers find in the documents of a page, for the agent that suggests edits. */
import type { FileDiagnostics } from "@signalbox/lsp/servers/DiagnosticStore"
import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"
import type { Diagnostic } from "../editing/Documents.ts"
import * as Sendable from "../editing/Sendable.ts"
import type { LanguageWorkspaces } from "../language/LanguageWorkspaces.ts"
import type { PageVisit } from "./PageVisit.ts"

/** Brings the findings to the page's desk as they change. Emits nothing. */
export const bring = (
  visit: PageVisit,
  { pools }: Pick<LanguageWorkspaces["Service"], "pools">
): Stream.Stream<never> =>
  pools.pipe(
    Stream.switchMap(({ servers }) =>
      Stream.map(servers.diagnostics.changes, (path) => ({ path, found: servers.diagnostics.known(path) }))
    ),
    // Findings about an earlier text may have moved.
    Stream.mapEffect(({ found, path }) =>
      found.every(({ isCurrent }) => isCurrent) ? visit.diagnose(path, found.flatMap(diagnosticsOf)) : Effect.void
    ),
    Stream.drain
  )

const diagnosticsOf = ({ items, path }: FileDiagnostics): ReadonlyArray<Diagnostic> =>
  items.map(({ message, range, severity }) => ({ uri: Sendable.uriOf(path), range, severity, message }))
