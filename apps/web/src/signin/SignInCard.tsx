import type { ProviderRef } from "@signalbox/contracts/Provider"
import type { PromptPart } from "@signalbox/contracts/Content"
import { useState } from "react"
import { Button } from "../design/Button.tsx"
import { Lamp } from "../design/Lamp.tsx"
import styles from "./SignInCard.module.css"
import { SignInPanel } from "./SignInPanel.tsx"
import type { WantedSignIn } from "../transcript/wantedSignIn.ts"

/** What the agent wants before it goes on. A start is tried once more by itself; a prompt is sent again by people. */
export const SignInCard = (props: {
  readonly wanted: WantedSignIn
  readonly provider: ProviderRef
  readonly start: () => void
  readonly sendAgain: (prompt: ReadonlyArray<PromptPart>) => Promise<boolean>
}) => {
  const { provider, sendAgain, start, wanted } = props
  const { offer, turn } = wanted
  const [signedIn, setSignedIn] = useState(false)
  const [sending, setSending] = useState(false)
  return (
    <article className={`card ${styles["card"]}`} aria-label={`${provider.name} wants you to sign in`}>
      <h3 className={styles["title"]}>
        <Lamp status="waiting" /> {provider.name} wants you to sign in
      </h3>
      <SignInPanel
        providerId={offer.providerId}
        agent={provider.name}
        methods={offer.methods}
        afterwards={
          turn === undefined
            ? `${provider.name} is being started again.`
            : "The prompt that was refused is not sent by itself."
        }
        onDone={() => {
          setSignedIn(true)
          if (turn === undefined) start()
        }}
      />
      {signedIn && turn !== undefined && (
        <p>
          <Button
            solid
            inert={sending}
            onClick={() => {
              setSending(true)
              void sendAgain(turn.prompt).finally(() => setSending(false))
            }}
          >
            Send it again
          </Button>
        </p>
      )}
    </article>
  )
}
