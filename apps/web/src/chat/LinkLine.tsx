import { protocolVersion } from "@signalbox/contracts/ServerInfo"
import { reloadPage } from "../browser/surroundings.ts"
import { useStore } from "../browser/Store.ts"
import { type LinkState, tryNow } from "../connection/link.ts"
import { Button } from "../design/Button.tsx"
import { ProblemCard } from "../problems/ProblemCard.tsx"
import { clock } from "../words/time.ts"
import styles from "./Chat.module.css"
import { tell } from "./host.ts"
import { unreached } from "./hostTransport.ts"

/** `alone`: nothing else is shown, so the wait for a server is said, too. */
export const LinkLine = ({ alone = false, link }: { readonly link: LinkState; readonly alone?: boolean }) => {
  const problem = useStore(unreached)
  const again = () => {
    tell({ type: "try" })
    tryNow()
  }
  switch (link.state) {
    case "open":
      return alone ? <p className={`${styles["nothing"]} meta`}>Reading the threads…</p> : null
    case "opening":
      return <p className={`${styles["nothing"]} meta`}>Looking for the Signalbox server…</p>
    case "locked":
    case "down":
      return (
        <section className={styles["link"]} aria-label="Connection">
          {problem ? (
            <ProblemCard problem={problem} />
          ) : alone ? (
            <p>Looking for the Signalbox server…</p>
          ) : (
            <p>
              <b>Signalbox’s server stopped answering at {clock(link.since)}.</b> What you see is from then. Agents may
              still be running.
            </p>
          )}
          {problem && !alone && <p className="quiet">What you see is from {clock(link.since)}.</p>}
          <Button onClick={again}>Try now</Button>
        </section>
      )
    case "outdated":
      return (
        <section className={styles["link"]} aria-label="Connection">
          <p>
            <b>The server is of another version.</b> It is Signalbox {link.server.version} and speaks protocol{" "}
            {link.server.protocolVersion}; this extension speaks {protocolVersion}. Update the older one of the two.
          </p>
          <Button onClick={again}>Try again</Button>
        </section>
      )
    case "unreadable":
      return (
        <section className={styles["link"]} aria-label="Connection">
          <p>
            <b>This view could not read what the server sent at {clock(link.since)}.</b> What you see is from then.{" "}
            <span className="quiet">{link.cause.split("\n")[0]}</span>
          </p>
          <Button onClick={reloadPage}>Load the view again</Button>
        </section>
      )
  }
}
