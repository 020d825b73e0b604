/** `signalbox stats`: how the server that runs is, now or as it goes. */
import type { Health } from "@signalbox/contracts/Health"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Stream from "effect/Stream"
import * as ServerClient from "./ServerClient.ts"
import { statsText } from "./StatsText.ts"
import * as Stdout from "./Stdout.ts"
import * as StateFolder from "./StateFolder.ts"

export interface StatsFlags {
  readonly stateDir: Option.Option<string>
  readonly json: boolean
  readonly watch: boolean
}

/** Up to the top of the screen, and everything below is gone. */
const clear = "\u001b[H\u001b[2J"

export const stats = Effect.fn("Stats")(function* ({ json, stateDir, watch }: StatsFlags) {
  const server = yield* ServerClient.ofRunning(yield* StateFolder.of(stateDir))
  const between = process.stdout.isTTY ? clear : "\n"
  let first = true
  const show = (health: Health) => {
    const text = json ? JSON.stringify(health) : `${first ? "" : between}${statsText(health, { first })}`
    first = false
    return Stdout.line(text)
  }
  yield* server.client
    .watchHealth()
    .pipe(Stream.take(watch ? Number.POSITIVE_INFINITY : 1), Stream.runForEach(show), Stdout.unlessNobodyReads)
}, Effect.scoped)
