/** Who answers where no rule matches, for each agent. */
import type { PermissionProfile, ProviderStatus } from "@signalbox/contracts/Provider"
import { useState } from "react"
import { chooseProfile } from "../connection/rules.ts"
import { problemOf } from "../connection/commands.ts"
import { Button } from "../design/Button.tsx"
import { Lamp } from "../design/Lamp.tsx"
import { useScope } from "../design/scope.ts"
import { sentencesOf } from "@signalbox/contracts/Problem"
import { profileNames, profiles, profileWords } from "../words/profile.ts"
import styles from "./Rules.module.css"

export const Profiles = ({ agents }: { readonly agents: ReadonlyArray<ProviderStatus> }) => (
  <div className="card">
    {agents.map((agent) => (
      <Profile key={agent.provider.id} agent={agent} />
    ))}
  </div>
)

const Profile = ({ agent: { permissions = "ask", provider } }: { readonly agent: ProviderStatus }) => {
  const [refusal, setRefusal] = useState<string>()
  const [isSure, setSure] = useState(true)
  const mayNot = useScope("admin")
  const choose = (profile: PermissionProfile) => {
    setSure(true)
    setRefusal(undefined)
    chooseProfile(provider.id, profile).catch((error: unknown) => setRefusal(sentencesOf(problemOf(error))))
  }
  return (
    <div className={styles["profile"]}>
      <div>
        <b>{provider.name}</b>
        <p className="meta">{profileWords[permissions]}</p>
      </div>
      <fieldset className={styles["choices"]} aria-label={`Profile of ${provider.name}`}>
        {profiles.map((profile) => (
          <button
            key={profile}
            type="button"
            aria-pressed={profile === permissions}
            aria-disabled={mayNot === undefined ? undefined : true}
            title={mayNot}
            onClick={() => {
              if (mayNot !== undefined) return
              if (profile === "bypass" && permissions !== "bypass") setSure(false)
              else choose(profile)
            }}
          >
            {profileNames[profile]}
            {profile === "bypass" && permissions !== "bypass" && "…"}
          </button>
        ))}
      </fieldset>
      {!isSure && (
        <div className={styles["sure"]}>
          <Lamp status="waiting" />
          <p>
            With bypass, {provider.name} does what it wants in all its threads, unless a rule says otherwise. Each of
            them shows that.
          </p>
          <Button onClick={() => choose("bypass")}>Use bypass</Button>
          <Button bare onClick={() => setSure(true)}>
            Back
          </Button>
        </div>
      )}
      {refusal !== undefined && (
        <p className={styles["refusal"]} role="alert">
          {refusal}
        </p>
      )}
    </div>
  )
}
