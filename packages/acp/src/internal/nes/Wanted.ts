/** What an agent has asked for: which parts of the context, and how many entries of each. */
import type { Capabilities, Context } from "./Schema.ts"

type Wanted = NonNullable<Capabilities["context"]>

/** The parts of the context that the agent wants, up to its limits. */
export const contextFor = (wanted: Wanted, given: Context): Context => {
  const first = <A>(
    list: ReadonlyArray<A> | undefined,
    want: { readonly maxCount?: number | null } | null | undefined
  ) => (want ? list?.slice(0, want.maxCount ?? undefined) : undefined)
  const recentFiles = first(given.recentFiles, wanted.recentFiles)
  const relatedSnippets = first(given.relatedSnippets, wanted.relatedSnippets)
  const editHistory = first(given.editHistory, wanted.editHistory)
  const userActions = first(given.userActions, wanted.userActions)
  const openFiles = first(given.openFiles, wanted.openFiles)
  const diagnostics = first(given.diagnostics, wanted.diagnostics)
  return {
    ...(recentFiles && { recentFiles }),
    ...(relatedSnippets && { relatedSnippets }),
    ...(editHistory && { editHistory }),
    ...(userActions && { userActions }),
    ...(openFiles && { openFiles }),
    ...(diagnostics && { diagnostics })
  }
}
