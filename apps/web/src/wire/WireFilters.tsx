/** Which rows of a wire are shown: by words, by the hop, and by what became of them. */
import type { WireRow } from "@signalbox/contracts/Wire"
import { Revealed } from "../text/Revealed.tsx"
import { figure } from "../words/figures.ts"
import styles from "./Wire.module.css"
import { countOf, type WireFilter } from "./wireState.ts"

const marks = [
  ["changed", "Changed"],
  ["open", "Open"],
  ["errors", "Errors"]
] as const

export const WireFilters = (props: {
  readonly filter: WireFilter
  readonly onChange: (filter: WireFilter) => void
  readonly rows: ReadonlyArray<WireRow>
  readonly places: ReadonlyArray<string>
}) => {
  const { filter, onChange, places, rows } = props
  const hops = places.slice(1).map((name, at) => ({ at, name: `${places[at] ?? ""}, ${name}` }))
  return (
    <search className={styles["filters"]} aria-label="Which messages">
      <input
        className="field"
        type="search"
        aria-label="Words in a message"
        placeholder="Method, id or words"
        value={filter.text}
        onChange={({ target }) => onChange({ ...filter, text: target.value })}
      />
      {hops.length > 1 && (
        <fieldset className={styles["choices"]} aria-label="Hop">
          <button
            type="button"
            aria-pressed={filter.hop === undefined}
            onClick={() => onChange({ ...filter, hop: undefined })}
          >
            All hops
          </button>
          {hops.map(({ at, name }) => (
            <button
              key={name}
              type="button"
              aria-pressed={filter.hop === at}
              onClick={() => onChange({ ...filter, hop: at })}
            >
              <Revealed text={name} />
            </button>
          ))}
        </fieldset>
      )}
      <fieldset className={styles["choices"]} aria-label="What became of them">
        {marks.map(([only, word]) => (
          <button
            key={only}
            type="button"
            aria-pressed={filter.only === only}
            onClick={() => onChange({ ...filter, only: filter.only === only ? undefined : only })}
          >
            {word} <span>{figure(countOf(rows, only))}</span>
          </button>
        ))}
      </fieldset>
    </search>
  )
}
