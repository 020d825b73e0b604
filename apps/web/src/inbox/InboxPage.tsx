/** All that waits for a person, over all threads: a list, and the open request in full. */
import type { WaitingThread } from "@signalbox/contracts/Waiting"
import { useEffect, useEffectEvent, useRef, useState } from "react"
import { takesLetter } from "../browser/shortcuts.ts"
import { useStore } from "../browser/Store.ts"
import { waitingThreads } from "../connection/requests.ts"
import { useNow } from "../connection/useNow.ts"
import { Button } from "../design/Button.tsx"
import { Lamp } from "../design/Lamp.tsx"
import { PartGuard } from "../design/PartGuard.tsx"
import { Page } from "../threads/Page.tsx"
import { count } from "../words/figures.ts"
import { AnsweredToday } from "./AnsweredToday.tsx"
import styles from "./Inbox.module.css"
import { InboxList } from "./InboxList.tsx"
import { type Filter, filters, type InboxRow, isIn, requestsIn } from "./inboxRows.ts"
import { waited } from "./inboxWords.ts"
import { OpenRequest, Where } from "./OpenRequest.tsx"
import { type Inbox, useInbox } from "./useInbox.ts"

const none: ReadonlyArray<WaitingThread> = []

export const InboxPage = () => {
  const threads = useStore(waitingThreads)
  const inbox = useInbox(threads ?? none)
  // On a narrow page either the list is there, or the request.
  const [isReading, setReading] = useState(false)
  const section = useRef<HTMLElement>(null)
  const { all, current, notice, rows, turn } = inbox.state

  const onKey = useEffectEvent((event: KeyboardEvent) => {
    const by = { j: 1, k: -1 } as const
    const key = event.key.toLowerCase()
    if (!takesLetter(event) || !(key === "j" || key === "k")) return
    event.preventDefault()
    inbox.step(by[key])
  })
  useEffect(() => {
    const listen = (event: KeyboardEvent) => onKey(event)
    addEventListener("keydown", listen)
    return () => removeEventListener("keydown", listen)
  }, [])
  const [openId] = current === undefined ? [] : [current.members[0].waiting.requestId]
  useEffect(() => {
    if (openId !== undefined)
      document.querySelector(`[data-request="${CSS.escape(openId)}"]`)?.scrollIntoView({ block: "nearest" })
    // The button that had the focus went with its card.
    if (turn > 1 && document.activeElement === document.body) section.current?.focus({ preventScroll: true })
  }, [openId, turn])
  const more = (threads ?? []).reduce((sum, { more: further = 0 }) => sum + further, 0)

  return (
    <Page
      title="Waiting for you"
      about={threads === undefined ? "Asking the server" : <Sum all={all} more={more} />}
      actions={<Filters inbox={inbox} />}
    >
      <div className={styles["inbox"]} data-reading={isReading || undefined}>
        <section className={styles["list"]} aria-label="Requests">
          <h2>
            Waiting <span>newest first</span>
          </h2>
          {threads !== undefined && rows.length === 0 && (
            <p className={styles["nothing"]}>
              {all.length === 0 ? "Nothing waits for you." : "Nothing of this kind waits for you."}
            </p>
          )}
          <InboxList
            rows={rows}
            current={current}
            onOpen={(row) => {
              inbox.open(row)
              setReading(true)
            }}
          />
          <PartGuard what="What was answered today" source={threads}>
            <AnsweredToday />
          </PartGuard>
        </section>
        <section ref={section} className={styles["open"]} aria-label="The request" tabIndex={-1}>
          <Button icon="undo" bare className={styles["back"]} onClick={() => setReading(false)}>
            All requests
          </Button>
          {notice !== undefined && (
            <output className={styles["notice"]}>
              <Lamp status="cancelled" /> <span>{notice}</span>
            </output>
          )}
          {current === undefined ? (
            <p className="meta">
              {notice !== undefined && rows.length > 0
                ? "The next request opens by itself."
                : "A request that waits is shown here."}
            </p>
          ) : (
            <>
              <Steps inbox={inbox} row={current} />
              <OpenRequest key={turn} row={current} inbox={inbox} />
              <p className={styles["hint"]}>
                After an answer the next request opens by itself, with its buttons inert for half a second.
              </p>
            </>
          )}
        </section>
      </div>
    </Page>
  )
}

const Sum = ({ all, more }: { readonly all: ReadonlyArray<InboxRow>; readonly more: number }) => {
  const now = useNow(1000)
  const requests = requestsIn(all) + more
  const threads = new Set(all.flatMap(({ members }) => members.map(({ thread }) => thread.threadId))).size
  const oldest = all.at(-1)?.at
  if (oldest === undefined) return "Nothing waits"
  return `${count(requests, "request")} in ${count(threads, "thread")} · oldest ${waited(now - oldest)}${more > 0 ? ` · ${more} more when these are answered` : ""}`
}

const filterWord: Readonly<Record<Filter, string>> = {
  all: "All",
  approvals: "Approvals",
  questions: "Questions",
  plans: "Plans",
  others: "Forms"
}

const Filters = ({ inbox: { setFilter, state } }: { readonly inbox: Inbox }) => (
  <fieldset className={styles["filters"]} aria-label="Kind">
    {filters.map((filter) => {
      const found = requestsIn(state.all.filter((row) => isIn(filter, row)))
      return found === 0 && filter !== "all" && filter !== state.filter ? null : (
        <button key={filter} type="button" aria-pressed={filter === state.filter} onClick={() => setFilter(filter)}>
          {filterWord[filter]} <span>{found}</span>
        </button>
      )
    })}
  </fieldset>
)

const Steps = ({ inbox, row }: { readonly inbox: Inbox; readonly row: InboxRow }) => {
  const { index: at, rows } = inbox.state
  return (
    <div className={styles["steps"]}>
      <Where row={row} />
      <span className="meta">
        {at + 1} of {rows.length}
      </span>
      <Button bare icon="up" inert={at <= 0} onClick={() => inbox.step(-1)} aria-keyshortcuts="K">
        Newer <kbd aria-hidden="true">K</kbd>
      </Button>
      <Button bare icon="down" inert={at >= rows.length - 1} onClick={() => inbox.step(1)} aria-keyshortcuts="J">
        Older <kbd aria-hidden="true">J</kbd>
      </Button>
    </div>
  )
}
