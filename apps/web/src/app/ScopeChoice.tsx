import { type ClientScope, clientScopes } from "@signalbox/contracts/ClientScope"

/** Chooses one of the scopes. */
export const ScopeChoice = (props: {
  readonly label: string
  readonly scope: ClientScope
  readonly inert: boolean
  readonly choose: (scope: ClientScope) => void
}) => (
  <select
    aria-label={props.label}
    value={props.scope}
    disabled={props.inert}
    onChange={(event) => {
      const scope = clientScopes.find((candidate) => candidate === event.target.value)
      if (scope !== undefined) props.choose(scope)
    }}
  >
    {clientScopes.map((scope) => (
      <option key={scope}>{scope}</option>
    ))}
  </select>
)
