import type { OpenRequest } from "@signalbox/contracts/ThreadView"
import type { SignInId } from "@signalbox/contracts/Ids"
import type { Problem } from "@signalbox/contracts/Problem"
import type { ProviderId } from "@signalbox/contracts/Provider"
import type { SignInFrame } from "@signalbox/contracts/SignIn"
import type { SignInMethod } from "@signalbox/contracts/SignInMethod"
import { useEffect, useRef, useState } from "react"
import { problemOf } from "../connection/commands.ts"
import { signIn, signInInput } from "../connection/signIn.ts"
import type { Respond } from "../requests/useAnswer.ts"
import { makeKeyLine } from "./keyLine.ts"
import type { TerminalLine } from "./SignInTerminal.tsx"

/** The state of an attempt. */
export interface Attempt {
  readonly method: SignInMethod
  readonly since: number
  /** What the sign-in waits for, if it takes long. */
  readonly waiting?: { readonly message: string; readonly limitMs: number }
  /** The agent's lines outside of the protocol, oldest first. */
  readonly lines: ReadonlyArray<string>
  readonly links: ReadonlyArray<string>
  readonly requests: ReadonlyArray<OpenRequest>
}

export type SignInPhase =
  | { readonly phase: "idle" }
  | { readonly phase: "running"; readonly attempt: Attempt }
  | { readonly phase: "done"; readonly method: SignInMethod; readonly accepted: boolean }
  | { readonly phase: "failed"; readonly problem: Problem }

export interface SignIn {
  readonly state: SignInPhase
  readonly begin: (method: SignInMethod) => void
  readonly cancel: () => void
  readonly respond: Respond
  readonly terminal: TerminalLine
}

/** The size until the terminal has been measured. */
const size = { columns: 80, rows: 16 }

/** Most lines that are shown. Older ones are dropped. */
const mostLines = 200

const withFrame = (attempt: Attempt, frame: SignInFrame): Attempt => {
  switch (frame.type) {
    case "waiting":
      return { ...attempt, waiting: { message: frame.message, limitMs: frame.limitMs } }
    case "text":
      return { ...attempt, lines: [...attempt.lines, frame.line].slice(-mostLines) }
    case "link":
      return { ...attempt, links: [...attempt.links, frame.url] }
    case "requested":
      return { ...attempt, requests: [...attempt.requests, { request: frame.request, answered: false }] }
    case "resolved":
      return { ...attempt, requests: attempt.requests.filter(({ request }) => request.requestId !== frame.requestId) }
    case "started":
    case "output":
    case "done":
    case "failed":
      return attempt
  }
}

const lost: Problem = {
  code: "request-failed",
  title: "The attempt to sign in has ended.",
  cause: "Its end was not reported; the connection to Signalbox’s server may have been lost meanwhile.",
  evidence: {},
  nextSteps: []
}

/** Signs in to one agent, one attempt at a time. Leaving the page cancels the attempt. */
export const useSignIn = (providerId: ProviderId, onDone: (accepted: boolean) => void): SignIn => {
  const [state, setState] = useState<SignInPhase>({ phase: "idle" })
  const abort = useRef<AbortController>(undefined)
  const signInId = useRef<SignInId>(undefined)
  const typing = useRef<(data: string) => void>(undefined)
  const printed = useRef<Array<string>>([])
  const listeners = useRef(new Set<(data: string) => void>())
  useEffect(() => () => abort.current?.abort(), [])

  // One object for the life of the component, since the terminal keeps it while it is drawn.
  const [terminal] = useState<TerminalLine>(() => ({
    listen: (onOutput) => {
      for (const data of printed.current) onOutput(data)
      listeners.current.add(onOutput)
      return () => listeners.current.delete(onOutput)
    },
    type: (data) => typing.current?.(data),
    resize: (size) => {
      const to = signInId.current
      // An attempt that has ended has no size.
      if (to !== undefined) signInInput(to, { type: "resize", size }).catch(() => {})
    }
  }))

  const begin = (method: SignInMethod) => {
    abort.current?.abort()
    const own = new AbortController()
    abort.current = own
    printed.current = []
    signInId.current = undefined
    typing.current = makeKeyLine(async (data) => {
      if (signInId.current !== undefined) await signInInput(signInId.current, { type: "keys", data })
    })
    let attempt: Attempt = { method, since: Date.now(), lines: [], links: [], requests: [] }
    setState({ phase: "running", attempt })
    const onFrame = (frame: SignInFrame) => {
      if (own.signal.aborted) return
      if (frame.type === "started") ({ signInId: signInId.current } = frame)
      if (frame.type === "output") {
        printed.current.push(frame.data)
        for (const listener of listeners.current) listener(frame.data)
        return
      }
      if (frame.type === "done") {
        setState({ phase: "done", method, accepted: frame.accepted === true })
        onDone(frame.accepted === true)
      } else if (frame.type === "failed") setState({ phase: "failed", problem: frame.problem })
      else {
        attempt = withFrame(attempt, frame)
        setState({ phase: "running", attempt })
      }
    }
    signIn({ providerId, methodId: method.id, size }, onFrame, own.signal)
      .then(
        () => lost,
        (error: unknown) => problemOf(error)
      )
      .then((problem) => {
        // A stream without a last frame has not reported its result.
        if (!own.signal.aborted)
          setState((before) => (before.phase === "running" ? { phase: "failed", problem } : before))
      })
      .catch(() => {})
  }
  return {
    state,
    begin,
    cancel: () => {
      abort.current?.abort()
      setState({ phase: "idle" })
    },
    respond: async (requestId, response) => {
      if (signInId.current !== undefined) await signInInput(signInId.current, { type: "answer", requestId, response })
    },
    terminal
  }
}
