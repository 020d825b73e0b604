/** `signalbox stats`: the health of the running server, once or continuously. */
import { jsonText } from "../terminal/JsonText.ts"
import type { Health } from "@signalbox/contracts/Health"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Stream from "effect/Stream"
import * as ServerClient from "../server/ServerClient.ts"
import { statsText } from "./StatsText.ts"
import * as Stdout from "../terminal/Stdout.ts"
import * as StateFolder from "../server/StateFolder.ts"

export interface StatsFlags {
  readonly stateDir: Option.Option<string>
  readonly json: boolean
  readonly watch: boolean
}

export const stats = Effect.fn("Stats")(function* ({ json, stateDir, watch }: StatsFlags) {
  const server = yield* ServerClient.ofRunning(yield* StateFolder.of(stateDir))
  let first = true
  const show = (health: Health) => {
    const text = json ? jsonText(health) : statsText(health, { first })
    const between = first || json ? Effect.void : Stdout.clear
    first = false
    return Effect.andThen(between, Stdout.line(text))
  }
  yield* server.client
    .watchHealth()
    .pipe(Stream.take(watch ? Number.POSITIVE_INFINITY : 1), Stream.runForEach(show), Stdout.unlessNobodyReads)
}, Effect.scoped)
