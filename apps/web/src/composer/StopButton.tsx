import type { ThreadId } from "@signalbox/contracts/Ids"
import type { Problem } from "@signalbox/contracts/Problem"
import type { TurnView } from "@signalbox/contracts/ThreadView"
import { useEffect, useEffectEvent } from "react"
import { problemOf, send } from "../connection/commands.ts"
import { useNow } from "../connection/useNow.ts"
import { Button } from "../design/Button.tsx"
import { useScope } from "../design/scope.ts"
import { ctrl, hasCtrl } from "../browser/shortcuts.ts"
import { stopDeadline } from "./nowState.ts"

/** Stops the running turn, and says how far that is. */
export const StopButton = (props: {
  readonly threadId: ThreadId
  readonly turn: TurnView
  readonly connected: boolean
  readonly fail: (problem: Problem | undefined) => void
}) => {
  const { connected, fail, threadId, turn } = props
  const isAllowed = useScope("approve") === undefined
  const stopping = turn.status === "cancelling"
  const stop = useEffectEvent(() => {
    if (stopping || !connected || !isAllowed) return
    fail(undefined)
    send(threadId, { type: "turn.interrupt", turnId: turn.turnId }).catch((error: unknown) => fail(problemOf(error)))
  })
  useEffect(() => {
    const listen = (event: KeyboardEvent) => {
      if (event.key !== "." || !hasCtrl(event)) return
      event.preventDefault()
      stop()
    }
    addEventListener("keydown", listen)
    return () => removeEventListener("keydown", listen)
  }, [])
  if (stopping)
    return (
      <Button solid icon="stop" inert>
        <Stopping since={turn.interruptedAt} />
      </Button>
    )
  return (
    <Button solid icon="stop" needs="approve" inert={!connected} onClick={() => stop()}>
      Stop
      <kbd className="wide-only" aria-hidden="true">
        {ctrl} .
      </kbd>
    </Button>
  )
}

const Stopping = ({ since }: { readonly since: number | undefined }) => {
  const now = useNow(250)
  const left = Math.ceil(((since ?? now) + stopDeadline - now) / 1000)
  return left > 0 ? `Stopping, ${left} s` : "Killing the process"
}
