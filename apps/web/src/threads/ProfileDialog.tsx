/** Chooses who answers what the agent asks for and no rule answers, until its session ends. */
import type { PermissionProfile } from "@signalbox/contracts/Provider"
import type { Problem } from "@signalbox/contracts/Problem"
import type { ThreadView } from "@signalbox/contracts/ThreadView"
import { useState } from "react"
import { useStore } from "../browser/Store.ts"
import { problemOf, send } from "../connection/commands.ts"
import { providers } from "../connection/providers.ts"
import { Button } from "../design/Button.tsx"
import { Dialog } from "../design/Dialog.tsx"
import { Lamp } from "../design/Lamp.tsx"
import { ProblemCard } from "../problems/ProblemCard.tsx"
import { profileNames, profiles, profileState, profileWords } from "../words/profile.ts"
import styles from "./ProfileDialog.module.css"

const ProfileDialog = (props: { readonly view: ThreadView; readonly onClose: () => void }) => {
  const { onClose, view } = props
  const agents = useStore(providers)
  const [problem, setProblem] = useState<Problem>()
  /** A bypass is chosen twice: the second time after its words. */
  const [isAsked, setAsked] = useState(false)
  const { name } = view.provider
  const isReady = view.session.state === "ready"
  const { by, profile: now } = profileState(view, agents)
  const { profile: chosen, ...session } = view.session
  const otherwise = profileState({ ...view, session }, agents)
  const choose = (profile: PermissionProfile | undefined) => {
    setProblem(undefined)
    setAsked(false)
    send(view.threadId, { type: "profile.choose", ...(profile !== undefined && { profile }) }).catch((error: unknown) =>
      setProblem(problemOf(error))
    )
  }
  return (
    <Dialog title={`Who answers ${name} in this session`} onClose={onClose}>
      <div className={styles["body"]}>
        {problem && <ProblemCard problem={problem} />}
        <p className="quiet">
          Rules come first. This is for what no rule answers.{" "}
          {isReady ? "It holds until this session ends." : `It can be chosen while a session of ${name} runs.`}
        </p>
        <ul role="radiogroup" aria-label="Profile">
          {profiles.map((profile) => (
            <li key={profile}>
              <label className={styles["profile"]}>
                <input
                  type="radio"
                  name="profile"
                  checked={profile === now}
                  disabled={!isReady}
                  onChange={() => (profile === "bypass" ? setAsked(true) : choose(profile))}
                />
                <b>{profileNames[profile]}</b>
                <span>{profileWords[profile]}</span>
              </label>
            </li>
          ))}
        </ul>
        {isAsked && isReady && (
          <section className={styles["sure"]} aria-label="Bypass">
            <p>
              <Lamp status="waiting" />{" "}
              <span>
                {name} may then do everything that no rule denies, with your rights. That includes what nobody can see
                through, and what waits now.
              </span>
            </p>
            <Button onClick={() => choose("bypass")}>Bypass until this session ends</Button>
            <Button bare onClick={() => setAsked(false)}>
              Cancel
            </Button>
          </section>
        )}
      </div>
      <div className={styles["foot"]}>
        <span className="meta grow">
          {by === "session"
            ? "Chosen for this session."
            : `${otherwise.by === "thread" ? "Chosen when this thread was started" : `From the settings of ${name}`}.`}
        </span>
        {chosen !== undefined && isReady && (
          <Button bare onClick={() => choose(undefined)}>
            Back to {profileNames[otherwise.profile]}
          </Button>
        )}
        <Button onClick={onClose}>Close</Button>
      </div>
    </Dialog>
  )
}
export default ProfileDialog
