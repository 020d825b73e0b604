import type { Problem } from "@signalbox/contracts/Problem"
import type { ProviderRef } from "@signalbox/contracts/Provider"
import type { SignInState } from "@signalbox/contracts/SignIn"
import { useEffect, useState } from "react"
import { problemOf } from "../connection/commands.ts"
import { checkAgain } from "../connection/providers.ts"
import { signInState, signOut } from "../connection/signIn.ts"
import { Button } from "../design/Button.tsx"
import { Dialog } from "../design/Dialog.tsx"
import { Lamp } from "../design/Lamp.tsx"
import { ProblemCard } from "../problems/ProblemCard.tsx"
import { announce } from "../browser/announcer.ts"
import { Revealed } from "../text/Revealed.tsx"
import styles from "./AccountDialog.module.css"
import { SignInPanel } from "./SignInPanel.tsx"

const words: { readonly [State in SignInState["state"]]: string } = {
  "signed-in": "Somebody is signed in.",
  "signed-out": "Nobody is signed in.",
  "not-needed": "No sign-in is needed.",
  unknown: "It does not report who is signed in."
}

const lamps = { "signed-in": "completed", "signed-out": "waiting", "not-needed": "completed", unknown: "todo" } as const

/** Who is signed in to an agent, and the ways in and out. The agent is started for it. */
export const AccountDialog = (props: {
  readonly provider: Pick<ProviderRef, "id" | "name">
  /** What happens after a sign-in, in words. */
  readonly afterwards?: string
  readonly onClose: () => void
}) => {
  const { afterwards = "The next session starts with it.", onClose, provider } = props
  // Another object asks again.
  const [asked, setAsked] = useState({ providerId: provider.id })
  const [state, setState] = useState<SignInState>()
  const [problem, setProblem] = useState<Problem>()
  const [leaving, setLeaving] = useState(false)
  useEffect(() => {
    const abort = new AbortController()
    signInState(asked.providerId, abort.signal).then(
      (known) => {
        if (abort.signal.aborted) return
        setProblem(undefined)
        setState(known)
      },
      (error: unknown) => {
        if (!abort.signal.aborted) setProblem(problemOf(error))
      }
    )
    return () => abort.abort()
  }, [asked])
  /** What the page of agents says about it may be another now, too. */
  const again = () => {
    setAsked({ providerId: provider.id })
    void checkAgain()
  }
  const leave = () => {
    setLeaving(true)
    signOut(provider.id)
      .then(
        () => {
          announce(`Signed out of ${provider.name}.`)
          again()
        },
        (error: unknown) => setProblem(problemOf(error))
      )
      .finally(() => setLeaving(false))
  }
  return (
    <Dialog title={`Sign-in of ${provider.name}`} onClose={onClose}>
      <div className={styles["body"]}>
        {problem && <ProblemCard problem={problem} actions={{ "check-again": again, restart: again }} />}
        {state === undefined && problem === undefined && <p className="quiet">Asking {provider.name}</p>}
        {state && (
          <>
            <p className={styles["state"]}>
              <Lamp status={lamps[state.state]} />
              <b>{state.state === "signed-in" && state.accounts.length > 0 ? "Signed in as" : words[state.state]}</b>
              {state.accounts.map((account) => (
                <span key={account}>
                  <Revealed text={account} />
                </span>
              ))}
              {state.signOut && state.state !== "signed-out" && (
                <Button className={styles["out"]} inert={leaving} onClick={leave}>
                  {leaving ? "Signing out" : "Sign out"}
                </Button>
              )}
            </p>
            {state.state !== "not-needed" && (
              <SignInPanel
                key={state.state}
                providerId={provider.id}
                agent={provider.name}
                methods={state.offer.methods}
                afterwards={afterwards}
                onDone={again}
              />
            )}
          </>
        )}
      </div>
      <div className={styles["foot"]}>
        <Button onClick={onClose}>Close</Button>
      </div>
    </Dialog>
  )
}
