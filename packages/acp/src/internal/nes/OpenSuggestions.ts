/** The suggestions of a session that have not ended. */
import type { Suggestion } from "./Schema.ts"

export interface OpenSuggestions {
  readonly has: (id: string) => boolean
  /** Adds a suggestion. Gives the ids of those that have to end for it, since there are too many. */
  readonly add: (suggestion: Suggestion) => ReadonlyArray<string>
  /** Ends a suggestion. False if it is not open. */
  readonly end: (id: string) => boolean
  /** Ends those about a document, and gives their ids. */
  readonly endAbout: (uri: string) => ReadonlyArray<string>
  /** Ends all, and gives their ids. */
  readonly endAll: () => ReadonlyArray<string>
}

/** Most suggestions that are open at once. The oldest ends for the newest. */
const most = 1_000

export const make = (): OpenSuggestions => {
  /** The document of each, by the suggestion's id. */
  const open = new Map<string, string>()

  const endWhere = (isMeant: (uri: string) => boolean): ReadonlyArray<string> => {
    const ids = [...open].flatMap(([id, uri]) => (isMeant(uri) ? [id] : []))
    for (const id of ids) open.delete(id)
    return ids
  }

  return {
    has: (id) => open.has(id),
    add: ({ id, uri }) => {
      open.set(id, uri)
      const [oldest] = open.keys()
      return open.size > most && oldest !== undefined && open.delete(oldest) ? [oldest] : []
    },
    end: (id) => open.delete(id),
    endAbout: (uri) => endWhere((each) => each === uri),
    endAll: () => endWhere(() => true)
  }
}
