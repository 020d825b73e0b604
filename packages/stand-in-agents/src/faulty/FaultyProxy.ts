/** A proxy that passes everything on, but for one fault. It is built on raw connections: the proxy's role itself refuses to lie. */
import type { MessageLink } from "@signalbox/acp/MessageLink"
import * as ProxyStart from "@signalbox/acp/ProxyStart"
import * as RawConnection from "@signalbox/acp/RawConnection"
import type { RawNotification, RawRequest, Said } from "@signalbox/acp/RawMessage"
import * as Effect from "effect/Effect"
import type { Fault } from "./Fault.ts"

export interface Options {
  /** Ends the process. */
  readonly exit: (code: number) => void
  /** Writes a line that is no message. */
  readonly print: (line: string) => void
}

const flood = { side: "client", method: "_flood", params: `{"text":${JSON.stringify("x".repeat(1_000))}}` } as const

/** Passes on until the connection is over. */
export const run = Effect.fnUntraced(function* (link: MessageLink, { at, kind }: Fault, { exit, print }: Options) {
  let count = 0
  /** Whether the message with this fault's number has come. */
  const isDue = () => count >= at
  let kept: Said | undefined

  const connection = yield* RawConnection.make(link, (conductor) => {
    const onward = ({ method, params, side }: Said): Said => ({
      side: side === "client" ? "agent" : "client",
      method,
      params
    })

    /** Counts a message, and says whether it is dealt with. */
    const meet = (): boolean => {
      count += 1
      if (kind === "die" && count === at) exit(9)
      if (kind === "garbage") for (const line of ["no JSON", "[1]", '{"no":"message"}', ""]) print(line)
      return kind === "mute" || (kind === "stall" && isDue())
    }

    const initialize = (start: ProxyStart.ProxyStart, respond: RawConnection.Respond) => {
      conductor.setDialect(start.dialect)
      if (kind === "answer-early") return respond(start.answered({ result: '{"protocolVersion":1}' }))
      const said: Said = { side: "agent", method: "initialize", params: start.params }
      return conductor.request(said, (settled) => {
        if ("closed" in settled) return
        if (kind !== "change-version" || "error" in settled) return respond(start.answered(settled))
        const version = ProxyStart.versionIn(settled.result) ?? 0
        respond(start.answered({ result: `{"protocolVersion":${version + 1}}` }))
      }).cancel
    }

    const onRequest = (request: RawRequest, respond: RawConnection.Respond) => {
      if (meet()) return
      const start = ProxyStart.of(request)
      if (start !== undefined) return initialize(start, respond)
      const said = onward(request)
      const sent = conductor.request(kind === "wrap-scalar" ? { ...said, params: "7" } : said, (settled) => {
        if (!("closed" in settled)) respond(settled)
      })
      return sent.cancel
    }

    const onNotification = (notification: RawNotification) => {
      if (meet()) return
      const said = onward(notification)
      if (kind !== "reorder") return conductor.notify(said)
      if (kept === undefined) {
        kept = said
        return
      }
      conductor.notify(said)
      conductor.notify(kept)
      kept = undefined
    }

    const floodOn = Effect.andThen(
      Effect.sync(() => {
        for (let n = 0; n < 100; n++) conductor.notify(flood)
      }),
      Effect.andThen(conductor.room, Effect.yieldNow)
    )
    return {
      onRequest,
      onNotification,
      afterBatch: Effect.suspend(() => {
        if (kind === "stall" && isDue()) return Effect.never
        return kind === "flood" && isDue() ? Effect.forever(floodOn) : conductor.room
      })
    }
  })
  yield* connection.closed
})
