import type { SessionSetting, SettingValue } from "@signalbox/contracts/SessionSetting"
import type { ThreadView } from "@signalbox/contracts/ThreadView"
import { Picker } from "./Picker.tsx"
import styles from "./SettingPickers.module.css"

/** Mode and model speak for themselves; other values need their name beside them. */
const speaksForItself = ({ category, id }: SessionSetting): boolean =>
  [category, id].some((hint) => hint === "mode" || hint === "model")

/** What the session offers, in its order; kinds that we don't know are not offered. */
export const SettingPickers = (props: {
  readonly view: ThreadView
  readonly set: (settingId: string, value: SettingValue) => void
}) => {
  const { desired, provider, session, settings } = props.view
  if (settings.length === 0 && session.state === "starting")
    return (
      <div className={styles["pickers"]}>
        <span className={`${styles["note"]} meta cut`}>
          What {provider.name} offers to choose appears when it has started.
        </span>
      </div>
    )
  return (
    <div className={styles["pickers"]}>
      {settings.map((setting) => {
        if (setting.type === "unknown") return null
        const wanted = desired[setting.id]
        const pending =
          wanted === undefined || wanted === setting.value
            ? undefined
            : session.state === "ready"
              ? `${provider.name} hasn’t confirmed it yet`
              : `from the next start of ${provider.name} on`
        if (setting.type === "boolean") {
          const on = typeof wanted === "boolean" ? wanted : setting.value
          return (
            <button
              key={setting.id}
              type="button"
              role="switch"
              aria-checked={on}
              aria-busy={pending !== undefined}
              aria-label={setting.name}
              title={pending ?? setting.description ?? setting.name}
              className={styles["toggle"]}
              onClick={() => props.set(setting.id, !on)}
            >
              {setting.name} <b>{on ? "on" : "off"}</b>
            </button>
          )
        }
        const value = typeof wanted === "string" ? wanted : setting.value
        const choice = setting.groups.flatMap(({ choices }) => choices).find((candidate) => candidate.value === value)
        return (
          <Picker
            key={setting.id}
            label={setting.name}
            labelled={!speaksForItself(setting) && choice?.name !== setting.name}
            value={value}
            shown={choice?.name ?? value ?? "not told"}
            groups={setting.groups}
            pending={pending}
            onPick={(picked) => props.set(setting.id, picked)}
          />
        )
      })}
    </div>
  )
}
