import type { PromptAbilities } from "@signalbox/contracts/Provider"
import { IconButton } from "../design/Button.tsx"
import { Icon } from "../design/Icon.tsx"
import { byteSize } from "../words/figures.ts"
import styles from "./Attachments.module.css"
import { fateOf } from "./attachments.ts"
import type { Attachment } from "./Draft.ts"

/** What goes along with the prompt, and what becomes of it with this agent. */
export const Attachments = (props: {
  readonly attachments: ReadonlyArray<Attachment>
  readonly abilities: PromptAbilities | undefined
  readonly agent: string
  readonly remove: (id: string) => void
}) => (
  <ul className={styles["attachments"]} aria-label="Attached">
    {props.attachments.map((attachment) => {
      const { bytes, id, name, part, type } = attachment
      const { leftOut, remark } = fateOf(attachment, props.abilities, props.agent)
      return (
        <li key={id} className={styles["attachment"]} data-left-out={leftOut ? "" : undefined}>
          {part?.type === "image" ? (
            <img className={styles["picture"]} src={`data:${part.mimeType};base64,${part.data}`} alt="" />
          ) : (
            <Icon name={type === "audio" ? "play" : "read"} />
          )}
          <span className={styles["about"]}>
            <span className="cut">{name}</span>
            <span className="meta">
              {byteSize(bytes)}
              {part === undefined && " · being read from the server"}
              {remark !== undefined && <span className={leftOut ? styles["leftOut"] : undefined}> · {remark}</span>}
            </span>
          </span>
          <IconButton icon="x" label={`Remove ${name}`} onClick={() => props.remove(id)} />
        </li>
      )
    })}
  </ul>
)
