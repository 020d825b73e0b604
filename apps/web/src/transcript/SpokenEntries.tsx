/** What was said: prompts, messages, thoughts. */
import type { ItemView, TurnView } from "@signalbox/contracts/ThreadView"
import { useMemo, useState } from "react"
import { duration } from "../words/time.ts"
import { Markdown } from "../markdown/Markdown.tsx"
import type { Fence } from "../markdown/blocks.ts"
import { Content } from "./Content.tsx"
import type { Continuation } from "./continued.ts"
import { EntryFrame, EntryLine, MarkTags } from "./Entry.tsx"
import styles from "./Entry.module.css"
import { count } from "../words/figures.ts"
import { useOpen } from "./openings.ts"
import { countLines, firstLines } from "@signalbox/contracts/OutputLines"
import { isOpen } from "@signalbox/threads/OpenItem"
import { countWords } from "./output.ts"
import { promptWords } from "../words/promptWords.ts"
import { Prose } from "../text/Prose.tsx"
import { useThreadFacts } from "./ThreadFacts.ts"
import { WithCode } from "../text/WithCode.tsx"

type Item<Type extends ItemView["type"]> = Extract<ItemView, { readonly type: Type }>

/** A prompt longer than this shows its beginning. */
const longPrompt = 24

const PromptText = ({ text }: { readonly text: string }) => {
  const [all, setAll] = useState(false)
  const lines = countLines(text)
  const cut = lines > longPrompt && !all
  return (
    <>
      <p className={styles["said"]} dir="auto">
        <WithCode text={cut ? firstLines(text, longPrompt - 8).text : text} />
      </p>
      {cut && (
        <p className="meta">
          {longPrompt - 8} of {count(lines, "line")} ·{" "}
          <button type="button" className="link" onClick={() => setAll(true)}>
            Show all
          </button>
        </p>
      )}
    </>
  )
}

export const PromptEntry = ({ current, item }: { readonly item: Item<"prompt">; readonly current: boolean }) => (
  <EntryFrame at={item.at} icon="you" current={current}>
    <div className={styles["prompt"]}>
      <h3 className={styles["who"]}>
        You <MarkTags late={item.late} replayed={item.replayed} />
      </h3>
      {item.prompt.map((part, index) =>
        part.type === "text" ? (
          // eslint-disable-next-line react/no-array-index-key -- a prompt never changes
          <PromptText key={index} text={part.text} />
        ) : (
          // eslint-disable-next-line react/no-array-index-key -- a prompt never changes
          <Content key={index} part={part} />
        )
      )}
    </div>
  </EntryFrame>
)

/** A prompt that never reached the agent. */
export const UnsentEntry = ({ turn }: { readonly turn: TurnView }) => {
  const { agent } = useThreadFacts()
  return (
    <EntryFrame at={turn.queuedAt} icon="you">
      <div className={styles["prompt"]}>
        <h3 className={styles["who"]}>
          You <span className="meta">never handed to {agent}</span>
        </h3>
        <PromptText text={promptWords(turn.prompt)} />
      </div>
    </EntryFrame>
  )
}

export const MessageEntry = (props: {
  readonly item: Item<"message">
  readonly current: boolean
  /** It goes on with the entry before: both read as one message. */
  readonly continuation: Continuation | undefined
}) => {
  const { continuation, current, item } = props
  const { agent, codeBehind } = useThreadFacts()
  const rest = useMemo(
    () => (item.continued ? (fence: Fence) => codeBehind(item.itemId, fence) : undefined),
    [codeBehind, item.continued, item.itemId]
  )
  const within = continuation?.within
  return (
    <EntryFrame {...(continuation === undefined && { at: item.at, icon: "text" as const })} current={current}>
      <div className={styles["message"]} data-continues={!!continuation || undefined} data-goes-on={item.continued}>
        {continuation === undefined && <h3 className="unseen">{agent} wrote</h3>}
        {(item.late || item.replayed) && (
          <p>
            <MarkTags late={item.late} replayed={item.replayed} />
          </p>
        )}
        {item.text !== "" && (
          <Markdown
            key={within === undefined ? "" : `${within.marker} ${within.language}`}
            text={item.text}
            growing={current && isOpen(item)}
            within={within}
            rest={rest}
          />
        )}
        {item.content.map((part, index) => (
          // eslint-disable-next-line react/no-array-index-key -- content is only ever added at the end
          <Content key={index} part={part} />
        ))}
        {item.cut && <CutOff agent={agent} />}
      </div>
    </EntryFrame>
  )
}

/** The text was going on when its turn ended badly. */
const CutOff = ({ agent }: { readonly agent: string }) => (
  <p className={styles["cutOff"]}>
    <b>Cut off here.</b> {agent} may have said more that never arrived.
  </p>
)

export const ThoughtEntry = (props: {
  readonly item: Item<"thought">
  readonly current: boolean
  /** It goes on with the entry before. */
  readonly continuation: Continuation | undefined
  readonly now: number | undefined
}) => {
  const { continuation, current, item, now } = props
  const { agent } = useThreadFacts()
  const opening = useOpen(item.itemId)
  const running = current && isOpen(item)
  const words = useMemo(() => countWords(item.text), [item.text])
  const ms = (item.endedAt ?? (running ? now : undefined) ?? item.at) - item.at
  return (
    <EntryFrame at={item.at} icon="thought" current={current}>
      <EntryLine
        verb={running ? "Thinking" : continuation === undefined ? "Thought" : "Thought, continued"}
        marks={item}
        opening={opening}
        end={
          <>
            <span>{count(words, "word")}</span>
            <span className={styles["took"]}>{item.endedAt === undefined && !running ? "" : duration(ms)}</span>
          </>
        }
      />
      {opening.open && (
        <>
          <p className={styles["thought"]} dir="auto">
            <Prose text={item.text.trim()} />
          </p>
          {item.cut && <CutOff agent={agent} />}
        </>
      )}
    </EntryFrame>
  )
}
