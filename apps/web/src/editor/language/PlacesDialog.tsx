/** Lists where something is defined or used: every place with its line, file by file. */
import type { CodeLocation } from "@signalbox/contracts/LanguageFeatures"
import { useStore } from "../../browser/Store.ts"
import { Dialog } from "../../design/Dialog.tsx"
import { Revealed } from "../../text/Revealed.tsx"
import { count } from "../../words/figures.ts"
import shared from "../../design/ListDialog.module.css"
import type { Desk } from "./Desk.ts"
import styles from "./Language.module.css"

export const PlacesDialog = ({ desk }: { readonly desk: Desk }) => {
  const places = useStore(desk.places)
  if (places === undefined) return null
  const { locations, total, what } = places
  const byPath = Map.groupBy(locations, ({ path }) => path)
  return (
    <Dialog title={what === "definitions" ? "Definitions" : "Uses"} onClose={() => desk.places.set(undefined)}>
      <div className={shared["body"]}>
        <p className="quiet">
          {count(total, "place")} in {count(byPath.size, "file")}
          {total > locations.length && `. The first ${locations.length} are listed`}.
        </p>
        {[...byPath].map(([path, found]) => (
          <section key={path} className={styles["file"]}>
            <h3>
              <code>
                <Revealed text={path} />
              </code>
              {found[0]?.mayOpen === false && <span className="meta"> outside of the folder</span>}
            </h3>
            <ul className={styles["places"]}>
              {found.map((location) => (
                <li key={JSON.stringify(location.range)}>
                  <Place location={location} onGo={() => desk.goTo(location)} />
                </li>
              ))}
            </ul>
          </section>
        ))}
      </div>
    </Dialog>
  )
}

const Place = ({ location, onGo }: { readonly location: CodeLocation; readonly onGo: () => void }) => {
  const { line, mayOpen, range } = location
  const content = (
    <>
      <span className={styles["number"]}>{range.start.line + 1}</span>
      <code className="cut">
        <Revealed text={(line ?? "").trim()} />
      </code>
    </>
  )
  return mayOpen ? (
    <button type="button" className={styles["place"]} onClick={onGo}>
      {content}
    </button>
  ) : (
    <span className={styles["place"]}>{content}</span>
  )
}
