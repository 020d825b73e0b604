/** What this page may do, for buttons that need a scope. */
import { type ClientScope, covers } from "@signalbox/contracts/ClientScope"
import { createContext, useContext } from "react"

/** The scope of this page. Undefined until the server has said it: the server refuses in any case. */
export const OwnScope = createContext<ClientScope | undefined>(undefined)

/** Why this page may not do what needs the scope `needs`. Undefined if it may. */
export const useScope = (needs: ClientScope | undefined): string | undefined => {
  const has = useContext(OwnScope)
  if (has === undefined || needs === undefined || covers(has, needs)) return undefined
  return `This needs the scope ${needs}. This page has the scope ${has}. A page with the scope admin can change that: Settings, Clients.`
}
