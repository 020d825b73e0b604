/** The way of a message between the places of a chain, as an arrow over their lines. */

/** Pixels between two places. */
const laneWidth = 60

/** Pixels before the first place, and behind the last one: half the room of a name. */
const margin = laneWidth / 2

export const lanesWidth = (places: number): number => (Math.max(2, places) - 1) * laneWidth + 2 * margin

const middle = 14

export const WireLanes = (props: {
  readonly places: number
  readonly from: number
  readonly to: number
  readonly isOpen: boolean
  readonly isChanged: boolean
  /** Whether it goes towards the agent. */
  readonly isDown: boolean
}) => {
  const { from, isChanged, isDown, isOpen, places, to } = props
  const width = lanesWidth(places)
  const at = (place: number) => margin + place * laneWidth
  const head = at(to) + (isDown ? -1 : 1)
  const tip = head + (isDown ? -6 : 6)
  return (
    <svg width={width} height={middle * 2} viewBox={`0 0 ${width} ${middle * 2}`} aria-hidden="true">
      {Array.from({ length: places }, (_, place) => (
        <line key={place} data-lane="" x1={at(place)} x2={at(place)} y1={0} y2={middle * 2} />
      ))}
      <g data-way={isOpen ? "open" : isDown ? "down" : "up"}>
        {from !== to && (
          <>
            <line x1={at(from)} x2={head} y1={middle} y2={middle} />
            {!isOpen && <path d={`M${tip} ${middle - 4} ${head} ${middle} ${tip} ${middle + 4}`} />}
            <circle cx={at(from)} cy={middle} r={isChanged ? 3.5 : 2.5} data-hollow={isChanged || undefined} />
          </>
        )}
      </g>
    </svg>
  )
}
