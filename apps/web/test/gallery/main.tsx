/** Shows one state of the page's lower half, by name: `?state=working`. For looking at, never shipped. */
import { promptText } from "@signalbox/contracts/Content"
import type { ThreadView } from "@signalbox/contracts/ThreadView"
import { useEffect, useState } from "react"
import { createRoot } from "react-dom/client"
import "../../src/design/base.css"
import { ProblemCard } from "../../src/problems/ProblemCard.tsx"
import { RequestDesk } from "../../src/requests/RequestDesk.tsx"
import { Register } from "../../src/transcript/Register.tsx"
import styles from "./gallery.module.css"
import { long, useStream } from "./long.ts"
import * as requests from "./requests.ts"
import { crashed, limit, loggedOut, start, troubled, working } from "./thread.ts"

const views: Readonly<Record<string, ThreadView>> = { working, troubled, ...requests, long: long(2000) }

const Stage = ({ streaming, view }: { readonly view: ThreadView; readonly streaming: boolean }) => {
  const [now, setNow] = useState(start + 135_000)
  useEffect(() => {
    const timer = setInterval(() => setNow((before) => before + 1000), 1000)
    return () => clearInterval(timer)
  }, [])
  const shown = useStream(view, streaming)
  const [put, setPut] = useState("")
  return (
    <main className={styles["stage"]}>
      <Register view={shown} now={now} onEdit={(prompt) => setPut(promptText(prompt))} />
      <footer className={styles["desk"]}>
        <div className={styles["inner"]}>
          <div className={styles["asks"]}>
            <RequestDesk
              view={shown}
              stop={() => setPut("stop")}
              respond={(requestId, response) =>
                location.hash === "#refuse"
                  ? Promise.reject(new Error("The request was closed before. It is over."))
                  : Promise.resolve(setPut(`${requestId} ${JSON.stringify(response)}`))
              }
            />
          </div>
          <output data-put="">{put}</output>
        </div>
      </footer>
    </main>
  )
}

const state = new URLSearchParams(location.search)
const theme = state.get("theme")
if (theme !== null) document.documentElement.dataset["theme"] = theme
const root = document.getElementById("root")
if (root === null) throw new Error("The gallery has no root.")
const name = state.get("state") ?? "working"
const view = views[name]
createRoot(root).render(
  view === undefined ? (
    <main className={styles["cards"]}>
      <ProblemCard problem={crashed} />
      <ProblemCard problem={loggedOut} />
      <ProblemCard problem={limit} />
    </main>
  ) : (
    <Stage view={view} streaming={state.has("stream")} />
  )
)
