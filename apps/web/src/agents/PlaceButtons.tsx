import type { ServerInfo } from "@signalbox/contracts/ServerInfo"
import { folderName } from "../threads/rows.ts"
import styles from "./StartDialog.module.css"

/** One button for each place where people are likely to work. `chosen`: the folder that is chosen, if it is there. */
export const PlaceButtons = (props: {
  readonly places: ReadonlyArray<string>
  readonly server: ServerInfo
  readonly chosen: string | undefined
  readonly open: (path: string) => void
}) => {
  const { chosen, open, places, server } = props
  return (
    <div className={styles["places"]}>
      {places.map((place) => (
        <button
          key={place}
          type="button"
          className={`${styles["place"]} cut`}
          title={place}
          aria-pressed={place === chosen}
          onClick={() => open(place)}
        >
          {place === server.home ? "Home" : folderName(place)}
          {place === server.cwd && place !== server.home && <span className="meta"> where Signalbox runs</span>}
        </button>
      ))}
    </div>
  )
}
