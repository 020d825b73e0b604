/** One end of a chain, played by a test: it writes down what it says and hears, and answers when it is asked to. */
import type * as RawConnection from "@signalbox/acp/RawConnection"
import type { By } from "./Scenario.ts"
import * as Words from "./Words.ts"

/** What an end has said, in its order. */
export interface Said {
  readonly kind: "note" | "ask" | "answer" | "cancel"
  readonly n: number
  readonly isTouched: boolean
  /** The text that left; the refusal, if `isError`. */
  readonly words: Words.Words | undefined
}

/** What an end has heard, in its order. Requests that end without an answer are heard as `answer`, too. */
export interface Heard {
  readonly kind: Said["kind"]
  readonly n: number
  readonly text: string | undefined
  readonly settled: RawConnection.Settled | undefined
}

interface Sent {
  readonly cancel: () => void
  readonly isTouched: boolean
}

export interface End {
  readonly said: Array<Said>
  readonly heard: Array<Heard>
  /** Requests that it has got and not answered, by number. */
  readonly open: Map<number, { readonly respond: RawConnection.Respond; readonly isTouched: boolean }>
  /** Requests that it has sent and that were not answered yet. */
  readonly waiting: Map<number, Sent>
  readonly cancelled: Set<number>
  /** Its connection; a defect before `handlers` were asked for. */
  readonly connection: () => RawConnection.RawConnection
  readonly handlers: (connection: RawConnection.RawConnection) => RawConnection.Handlers
  readonly send: (n: number, isRequest: boolean, isTouched: boolean, size: number) => void
  readonly answer: (n: number, isError: boolean, size: number) => void
  readonly cancel: (n: number) => void
}

/**
 * @param onIssue gets what it can make nothing of, such as a second answer
 * @param initialize answers `initialize`, for the agent
 */
export const make = (
  by: By,
  onIssue: (from: string, issue: RawConnection.Issue) => void,
  initialize?: (respond: RawConnection.Respond) => void
): End => {
  const said: End["said"] = []
  const heard: End["heard"] = []
  const open: End["open"] = new Map()
  const waiting: End["waiting"] = new Map()
  const cancelled: End["cancelled"] = new Set()
  let connection: RawConnection.RawConnection | undefined

  const heardOf = (kind: Heard["kind"], text: string | undefined) =>
    heard.push({ kind, n: Words.numberIn(text) ?? -1, text, settled: undefined })

  return {
    said,
    heard,
    open,
    waiting,
    cancelled,
    connection: () => {
      if (connection === undefined) throw new Error(`${by} is not connected`)
      return connection
    },
    handlers: (made) => {
      connection = made
      return {
        onIssue: (issue) => onIssue(by, issue),
        onRequest: ({ method, params }, respond) => {
          if (method === "initialize") return initialize?.(respond)
          const n = Words.numberIn(params) ?? -1
          heardOf("ask", params)
          open.set(n, { respond, isTouched: method === Words.methodOf(true) })
          return () => void heard.push({ kind: "cancel", n, text: undefined, settled: undefined })
        },
        onNotification: ({ params }) => void heardOf("note", params)
      }
    },
    send: (n, isRequest, isTouched, size) => {
      if (connection === undefined) return
      const words = Words.words(n, size)
      said.push({ kind: isRequest ? "ask" : "note", n, isTouched, words })
      const message = { side: "client" as const, method: Words.methodOf(isTouched), params: JSON.stringify(words) }
      if (!isRequest) return connection.notify(message)
      let isSettled = false
      const sent = connection.request(message, (settled) => {
        isSettled = true
        waiting.delete(n)
        const text = "result" in settled ? settled.result : "error" in settled ? settled.error : undefined
        heard.push({ kind: "answer", n, text, settled })
      })
      if (!isSettled) waiting.set(n, { cancel: sent.cancel, isTouched })
    },
    answer: (n, isError, size) => {
      const asked = open.get(n)
      if (asked === undefined) return
      open.delete(n)
      const words = isError ? undefined : Words.words(n, size, by)
      said.push({ kind: "answer", n, isTouched: asked.isTouched, words })
      asked.respond(words === undefined ? { error: Words.refusal(n) } : { result: JSON.stringify(words) })
    },
    cancel: (n) => {
      const sent = waiting.get(n)
      if (sent === undefined || cancelled.has(n)) return
      cancelled.add(n)
      said.push({ kind: "cancel", n, isTouched: sent.isTouched, words: undefined })
      sent.cancel()
    }
  }
}
