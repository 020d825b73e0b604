/** What language servers find in the shown file, or what they do now, or which one could be turned on. */
import type { ThreadId } from "@signalbox/contracts/Ids"
import type { LanguageServerState } from "@signalbox/contracts/LanguageFeatures"
import { useState } from "react"
import { useStore } from "../../browser/Store.ts"
import { Lamp } from "../../design/Lamp.tsx"
import { proseText } from "../../text/Revealed.tsx"
import { phaseWords } from "../../words/languageServers.ts"
import { FindingsDialog } from "./FindingsDialog.tsx"
import { HoverCard } from "./HoverCard.tsx"
import { countsOf, foundIn } from "./Knowledge.ts"
import styles from "./Language.module.css"
import { PlacesDialog } from "./PlacesDialog.tsx"
import { ServersDialog } from "./ServersDialog.tsx"
import { watchedOf } from "./watching.ts"
import { countWords } from "./words.ts"

export { watch } from "./watching.ts"

const LanguageLine = ({ path, threadId }: { readonly threadId: ThreadId; readonly path: string }) => {
  const watched = watchedOf(threadId)
  const known = useStore(watched.known)
  const desk = useStore(watched.desk)
  const [listing, list] = useState(false)
  const [choosing, choose] = useState(false)
  const file = known.files.get(path)
  if (desk === undefined || file === undefined) return null
  const states = known.servers.filter(({ id }) => file.servers.includes(id))
  const busy = states.find(({ phase }) => phase !== "ready" && phase !== "ended")
  const findings = foundIn(known, path)
  const words = countWords(countsOf(findings))
  const [offered] = file.offered
  return (
    <span className={styles["line"]}>
      {busy !== undefined && (
        <>
          <Lamp status={lampOf(busy)} still={busy.phase === "given-up"} />
          <button type="button" className="link cut" onClick={() => choose(true)}>
            {proseText(`${busy.name} ${phaseWords[busy.phase]}`)}
          </button>
        </>
      )}
      {findings.length > 0 && (
        <button
          type="button"
          className="link"
          title="Findings of language servers in this file (F8 goes to the next one)"
          onClick={() => list(true)}
        >
          {words === "" ? "No errors" : words}
        </button>
      )}
      {busy === undefined && findings.length === 0 && states.length > 0 && (
        <button type="button" className="link wide-only" onClick={() => choose(true)}>
          {proseText(states.map(({ name }) => name).join(", "))}
        </button>
      )}
      {file.servers.length === 0 && offered !== undefined && (
        <button type="button" className="link wide-only" onClick={() => choose(true)}>
          Turn on {proseText(offered.name)}
        </button>
      )}
      {known.note !== undefined && (
        <span className="cut" role="note">
          {proseText(known.note)}
        </span>
      )}
      <HoverCard desk={desk} />
      <PlacesDialog desk={desk} />
      {listing && (
        <FindingsDialog
          path={path}
          findings={desk.findingsOf(path)}
          total={findings.reduce((sum, { total }) => sum + total, 0)}
          servers={() => {
            list(false)
            choose(true)
          }}
          onGo={(finding) => {
            list(false)
            desk.goToFinding(path, finding)
          }}
          onClose={() => list(false)}
        />
      )}
      {choosing && <ServersDialog file={file} states={states} onClose={() => choose(false)} />}
    </span>
  )
}

const lampOf = ({ phase }: LanguageServerState) =>
  phase === "given-up" ? "failed" : phase === "restarting" ? "lost" : "working"

export default LanguageLine
