import type { ComponentInfo } from "@signalbox/contracts/SessionChain"
import { IconButton } from "../design/Button.tsx"
import { Revealed } from "../text/Revealed.tsx"
import { listed, moved, withChoice } from "./componentWords.ts"
import { SwitchRow } from "./SwitchRow.tsx"

/** The components of an agent: which are in the chain, nearest to people first. */
export const ComponentList = (props: {
  readonly known: ReadonlyArray<ComponentInfo>
  readonly chosen: ReadonlyArray<string>
  readonly choose: (names: ReadonlyArray<string>) => void
}) => {
  const { choose, chosen, known } = props
  return (
    <ol aria-label="Components">
      {listed(chosen, known).map((one) => (
        <Component
          key={one.name}
          component={one}
          at={chosen.indexOf(one.name)}
          last={chosen.length - 1}
          turn={(on) => choose(withChoice(chosen, one.name, on))}
          move={(by) => choose(moved(chosen, one.name, by))}
        />
      ))}
    </ol>
  )
}

const Component = (props: {
  readonly component: ComponentInfo
  /** Its place among the chosen ones, or −1. */
  readonly at: number
  readonly last: number
  readonly turn: (on: boolean) => void
  readonly move: (by: -1 | 1) => void
}) => {
  const { at, component, last, move, turn } = props
  const { commandLine, name, problem, summary } = component
  const on = at !== -1
  return (
    <SwitchRow
      name={name}
      on={on}
      turn={turn}
      problem={problem}
      acts={
        on &&
        last > 0 && (
          <div>
            <IconButton icon="up" label={`Move ${name} up`} inert={at === 0} onClick={() => move(-1)} />
            <IconButton icon="down" label={`Move ${name} down`} inert={at === last} onClick={() => move(1)} />
          </div>
        )
      }
    >
      {commandLine === undefined ? (
        <p>{summary}</p>
      ) : (
        <code>
          <Revealed text={commandLine} />
        </code>
      )}
    </SwitchRow>
  )
}
