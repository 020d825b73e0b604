/** Handlers of the page's calls about the wire of a session. */
import { Refused } from "@signalbox/contracts/Refused"
import type { SignalboxRpc } from "@signalbox/contracts/Rpc"
import { longestWireLine, type WireLine } from "@signalbox/contracts/Wire"
import * as Effect from "effect/Effect"
import type * as RpcGroup from "effect/rpc/RpcGroup"
import * as Stream from "effect/Stream"
import type { TapeLine } from "../tape/TapeReader.ts"
import { Tapes, type TapesUnusable } from "../tape/Tapes.ts"
import { jsonOf } from "../wire/MessageWords.ts"
import * as WireFrames from "../wire/WireFrames.ts"

type Handlers = Pick<RpcGroup.HandlersFrom<RpcGroup.Rpcs<typeof SignalboxRpc>>, "watchWire" | "readWire">

export const make = Effect.gen(function* () {
  const tapes = yield* Tapes
  return {
    watchWire: ({ most, session, threadId }) =>
      WireFrames.frames(tapes.follow(threadId, session), most).pipe(Stream.mapError(refused)),
    readWire: ({ lines, session, threadId }) =>
      tapes.lines(threadId, session, lines).pipe(
        Effect.map((found) => found.map(shown)),
        Effect.mapError(refused)
      )
  } satisfies Handlers
})

const shown = ({ line, message, text: raw }: TapeLine): WireLine => {
  const text = typeof message === "string" ? message : (jsonOf(message) ?? raw)
  return { line, text: text.slice(0, longestWireLine), characters: text.length }
}

const refused = ({ folder, reason }: TapesUnusable) =>
  new Refused({
    problem: {
      code: "storage",
      title: "The record of the wire can’t be read.",
      cause: reason,
      evidence: { path: folder },
      nextSteps: [{ action: "check-again", label: "See whether the folder is there and may be read" }]
    }
  })
