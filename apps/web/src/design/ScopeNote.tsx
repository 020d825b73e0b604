import type { ClientScope } from "@signalbox/contracts/ClientScope"
import { useScope } from "./scope.ts"

/** Says why the buttons beside it do nothing, if this page lacks the scope for them. */
export const ScopeNote = ({ needs }: { readonly needs: ClientScope }) => {
  const reason = useScope(needs)
  return reason === undefined ? null : <p className="quiet">{reason}</p>
}
