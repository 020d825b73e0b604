import type { RequestId } from "@signalbox/contracts/Ids"
import type { RequestResponse } from "@signalbox/contracts/AgentRequest"
import { useEffect, useRef, useState } from "react"
import { useScope } from "../design/scope.ts"

/** How long a card that has just appeared takes no answer. So a click meant for something else is not one. */
const settlingMs = 500

export type Respond = (requestId: RequestId, response: RequestResponse) => Promise<void>

export interface Answering {
  /** The card stands long enough, nothing was answered yet, and this page may answer. */
  readonly ready: boolean
  readonly onItsWay: boolean
  /** Why the answer was not taken. It can be given again. */
  readonly refusal: string | undefined
  readonly answer: (response: RequestResponse) => void
}

/** One answer to one request. `answered`: the server has taken one, from here or from another client. */
export const useAnswer = (requestId: RequestId, answered: boolean, respond: Respond): Answering => {
  const [settled, setSettled] = useState(false)
  const [sent, setSent] = useState(false)
  const [refusal, setRefusal] = useState<string>()
  // A second click in the same frame must not answer twice.
  const given = useRef(false)
  useEffect(() => {
    const timer = setTimeout(() => setSettled(true), settlingMs)
    return () => clearTimeout(timer)
  }, [])
  const isAllowed = useScope("approve") === undefined
  const onItsWay = sent || answered
  const answer = (response: RequestResponse) => {
    if (!settled || given.current || answered || !isAllowed) return
    given.current = true
    setSent(true)
    setRefusal(undefined)
    respond(requestId, response).catch((error: unknown) => {
      given.current = false
      setSent(false)
      setRefusal(error instanceof Error ? error.message : String(error))
    })
  }
  return { ready: settled && isAllowed && !onItsWay, onItsWay, refusal, answer }
}
