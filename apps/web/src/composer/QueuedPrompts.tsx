import type { ThreadView, TurnView } from "@signalbox/contracts/ThreadView"
import { type KeyboardEvent, useEffect, useRef } from "react"
import { Button, IconButton } from "../design/Button.tsx"
import { Lamp } from "../design/Lamp.tsx"
import { hasCtrl } from "../browser/shortcuts.ts"
import { count } from "../words/figures.ts"
import { promptWords } from "../words/promptWords.ts"
import { proseText, RevealedProse } from "../text/Revealed.tsx"
import { heldWords, holdReason } from "./holdWords.ts"
import styles from "./QueuedPrompts.module.css"
import type { Queue } from "./useQueue.ts"

/** Prompts that wait, in the order in which they will be sent. They can be changed until the agent sees them. */
export const QueuedPrompts = (props: {
  readonly view: ThreadView
  readonly turns: ReadonlyArray<TurnView>
  readonly connected: boolean
  readonly queue: Queue
}) => {
  const { connected, queue, turns, view } = props
  const held = view.held === true
  const list = useRef<HTMLOListElement>(null)
  const order = turns.map(({ turnId }) => turnId).join()
  // Moving a row takes the focus from its button.
  const moved = useRef<{ readonly turnId: string; readonly by: -1 | 1; readonly order: string }>(undefined)
  useEffect(() => {
    if (moved.current === undefined || moved.current.order === order) return
    const { by, turnId } = moved.current
    moved.current = undefined
    const row = list.current?.querySelector(`[data-turn="${CSS.escape(turnId)}"]`)
    const buttons = [...(row?.querySelectorAll<HTMLElement>("[data-move]") ?? [])]
    const wanted = buttons.find((button) => button.dataset["move"] === String(by))
    ;(wanted?.ariaDisabled === "true" ? buttons.find((button) => button !== wanted) : wanted)?.focus()
  })
  const move = (turn: TurnView, by: -1 | 1) => {
    moved.current = { turnId: turn.turnId, by, order }
    queue.move(turn.turnId, by)
  }
  const movable = turns.filter(({ steer }) => !steer)
  const forgotten = held && view.heldBy?.why === "forgotten"
  return (
    <div className={styles["queue"]}>
      <p className={styles["head"]}>
        <Lamp status="queued" />
        <b>{held ? heldWords(view) : "Queued"}</b>
        <span className={`quiet ${styles["reason"]}`}>{held ? holdReason(view) : count(turns.length, "prompt")}</span>
        {forgotten && (
          <Button
            bare
            icon="play"
            needs="operate"
            inert={!connected}
            onClick={queue.handOver}
            title="The next prompt takes along what was said here, as a text of at most 60,000 characters"
          >
            Resume with the transcript
          </Button>
        )}
        <Button
          bare
          icon={held ? "play" : "hold"}
          needs="operate"
          inert={!connected}
          onClick={() => queue.hold(!held)}
          title={held ? "Prompts that wait are sent again" : "Nothing that waits is sent, also after a restart"}
        >
          {forgotten ? "Resume without" : held ? "Resume" : "Hold"}
        </Button>
      </p>
      {turns.length > 0 && (
        <ol ref={list} aria-label="Queued prompts">
          {turns.map((turn, index) => (
            <li key={turn.turnId} className={styles["prompt"]} data-turn={turn.turnId}>
              {queue.editing?.turn.turnId === turn.turnId ? (
                <Editor queue={queue} text={queue.editing.text} connected={connected} />
              ) : (
                <>
                  <span className={styles["place"]}>{index + 1}</span>
                  {turn.steer && <span className="tag">comes between</span>}
                  <span className="cut grow" title={proseText(promptWords(turn.prompt))}>
                    <RevealedProse text={promptWords(turn.prompt)} />
                  </span>
                  {!turn.steer && movable.length > 1 && (
                    <>
                      <IconButton
                        icon="up"
                        label="Send this prompt earlier"
                        data-move="-1"
                        needs="operate"
                        inert={!connected || movable[0] === turn}
                        onClick={() => move(turn, -1)}
                      />
                      <IconButton
                        icon="down"
                        label="Send this prompt later"
                        data-move="1"
                        needs="operate"
                        inert={!connected || movable.at(-1) === turn}
                        onClick={() => move(turn, 1)}
                      />
                    </>
                  )}
                  <Button
                    bare
                    needs="operate"
                    inert={!connected}
                    onClick={() => queue.edit(turn)}
                    title="Change it where it waits"
                  >
                    Edit
                  </Button>
                  <IconButton
                    icon="x"
                    label="Remove this prompt from the queue"
                    needs="operate"
                    inert={!connected}
                    onClick={() => queue.remove(turn.turnId)}
                  />
                </>
              )}
            </li>
          ))}
        </ol>
      )}
    </div>
  )
}

const Editor = (props: { readonly queue: Queue; readonly text: string; readonly connected: boolean }) => {
  const { connected, queue, text } = props
  const field = useRef<HTMLTextAreaElement>(null)
  useEffect(() => {
    field.current?.focus()
    field.current?.setSelectionRange(field.current.value.length, field.current.value.length)
  }, [])
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === "Escape") queue.leave()
    else if (event.key === "Enter" && hasCtrl(event)) {
      event.preventDefault()
      if (connected) queue.save()
    }
  }
  return (
    <div className={styles["editor"]}>
      <textarea
        ref={field}
        className={`field ${styles["text"]}`}
        aria-label="Prompt that waits"
        aria-keyshortcuts="Control+Enter"
        rows={2}
        value={text}
        onChange={(event) => queue.write(event.target.value)}
        onKeyDown={onKeyDown}
      />
      <Button needs="operate" inert={!connected} onClick={queue.save}>
        Keep the change
      </Button>
      <Button bare onClick={queue.leave}>
        Cancel
      </Button>
    </div>
  )
}
