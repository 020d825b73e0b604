/** What language servers do, in the health panel. */
import type { LanguageServerState } from "@signalbox/contracts/LanguageFeatures"
import { Lamp } from "../design/Lamp.tsx"
import { Revealed, RevealedProse } from "../text/Revealed.tsx"
import { phaseWords } from "../words/languageServers.ts"
import styles from "./HealthPanel.module.css"

const lamps = {
  starting: "sent",
  loading: "working",
  ready: "completed",
  restarting: "lost",
  "given-up": "failed",
  ended: "completed"
} as const

export const LanguageServersHealth = ({ states }: { readonly states: ReadonlyArray<LanguageServerState> }) => (
  <section>
    <h3>Language servers</h3>
    <ul>
      {states.map(({ id, name, phase, pid, problem, root }) => (
        <li key={JSON.stringify([id, root])} className={styles["agent"]}>
          <Lamp status={lamps[phase]} still />
          <div>
            <p>
              <b>
                <Revealed text={name} />
              </b>{" "}
              {phaseWords[phase]}
            </p>
            <p className="meta">
              {problem !== undefined && <RevealedProse text={`${problem} `} />}
              {root !== undefined && (
                <>
                  reads{" "}
                  <code>
                    <Revealed text={root} />
                  </code>
                </>
              )}
              {pid !== undefined && (
                <>
                  , pid <code>{pid}</code>
                </>
              )}
            </p>
          </div>
        </li>
      ))}
    </ul>
  </section>
)
