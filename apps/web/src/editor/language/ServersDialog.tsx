/** The language servers of a file: what each does, why it can't be used, and those that can be turned on. */
import type { LanguageServerState } from "@signalbox/contracts/LanguageFeatures"
import type { Problem } from "@signalbox/contracts/Problem"
import { useState } from "react"
import { problemOf } from "../../connection/commands.ts"
import { turnLanguageServer } from "../../connection/language.ts"
import { Button } from "../../design/Button.tsx"
import { Dialog } from "../../design/Dialog.tsx"
import { ProblemCard } from "../../problems/ProblemCard.tsx"
import { Revealed, RevealedProse } from "../../text/Revealed.tsx"
import { phaseWords } from "../../words/languageServers.ts"
import shared from "../../design/ListDialog.module.css"
import type { KnownBy } from "./Knowledge.ts"
import styles from "./Language.module.css"

export const ServersDialog = (props: {
  readonly file: KnownBy
  readonly states: ReadonlyArray<LanguageServerState>
  readonly onClose: () => void
}) => {
  const { file, onClose, states } = props
  const [problem, setProblem] = useState<Problem>()
  const turn = (id: string, on: boolean) => {
    setProblem(undefined)
    turnLanguageServer(id, on).catch((error: unknown) => setProblem(problemOf(error)))
  }
  return (
    <Dialog title="Language servers" onClose={onClose}>
      <div className={shared["body"]}>
        {problem && <ProblemCard problem={problem} />}
        {file.servers.map((id) => {
          const state = states.find((one) => one.id === id)
          return (
            <section key={id} className={styles["server"]}>
              <div className="grow">
                <p>
                  <b>
                    <Revealed text={state?.name ?? id} />
                  </b>{" "}
                  <span className="meta">{state === undefined ? "does not run" : phaseWords[state.phase]}</span>
                </p>
                {state?.progress !== undefined && (
                  <p className="meta">
                    <RevealedProse text={state.progress} />
                  </p>
                )}
                {state?.problem !== undefined && (
                  <p className={styles["why"]}>
                    <RevealedProse text={state.problem} />
                  </p>
                )}
                {state?.root !== undefined && (
                  <p className="meta">
                    reads{" "}
                    <code>
                      <Revealed text={state.root} />
                    </code>
                    {state.pid !== undefined && `, pid ${state.pid}`}
                  </p>
                )}
              </div>
              <Button needs="admin" onClick={() => turn(id, false)}>
                Turn off
              </Button>
            </section>
          )
        })}
        {file.offered.map(({ command, id, name }) => (
          <section key={id} className={styles["server"]}>
            <div className="grow">
              <p>
                <b>
                  <Revealed text={name} />
                </b>{" "}
                <span className="meta">is on this machine, and turned off</span>
              </p>
              <p className="meta">
                starts as{" "}
                <code>
                  <Revealed text={command} />
                </code>
              </p>
            </div>
            <Button needs="admin" onClick={() => turn(id, true)}>
              Turn on
            </Button>
          </section>
        ))}
        <p className="quiet">
          This holds for all threads. A language server reads the folders of threads, and may run code of their
          projects, such as plugins.
        </p>
      </div>
      <div className={shared["foot"]}>
        <span className="grow" />
        <Button onClick={onClose}>Close</Button>
      </div>
    </Dialog>
  )
}
