/** `signalbox conformance`: examines an agent and reports what was observed. */
import type { ConformanceFrame, ConformanceReport } from "@signalbox/contracts/Conformance"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Stream from "effect/Stream"
import * as Agents from "../../compose/Conformance.ts"
import { Conformance } from "../../conformance/Conformance.ts"
import { type AgentFlags, agentOf } from "../run/AgentChoice.ts"
import { reportText } from "./ConformanceText.ts"
import * as WorkFolder from "../server/WorkFolder.ts"
import { failedWith } from "../terminal/Failure.ts"
import { jsonText } from "../terminal/JsonText.ts"
import { unlessSignalled } from "../terminal/Signals.ts"
import * as Stdout from "../terminal/Stdout.ts"
import * as StateFolder from "../server/StateFolder.ts"
import * as Terminal from "../terminal/Terminal.ts"

export interface ConformanceFlags extends AgentFlags {
  readonly stateDir: Option.Option<string>
  readonly model: boolean
  readonly cwd: Option.Option<string>
  readonly json: boolean
}

export const conformance = Effect.fn("Conformance")(function* (flags: ConformanceFlags) {
  const { model } = flags
  const directory = yield* StateFolder.of(flags.stateDir)
  const cwd = Option.isSome(flags.cwd) ? yield* WorkFolder.of("conformance", flags.cwd.value) : undefined
  const { provider, providerOptions } = yield* agentOf("conformance", flags, directory, cwd)
  const report = yield* Effect.gen(function* () {
    const { probe, probeUnlisted } = yield* Conformance
    const wishes = { model, cwd }
    // A report is kept only if the agent was started exactly as its settings say.
    const frames =
      Option.isSome(flags.agent) || flags.env.length > 0
        ? probeUnlisted({ provider, providerOptions }, wishes)
        : probe(provider.id, wishes)
    return yield* followed(frames)
  }).pipe(
    Effect.mapError(({ problem }) => failedWith(problem)),
    Effect.provide(Agents.layer(directory)),
    // An interruption ends the agent's processes and removes its folder before this process exits.
    unlessSignalled
  )
  const text = flags.json ? jsonText(report) : reportText(report)
  yield* Stdout.unlessNobodyReads(Stdout.line(text))
})

/** Returns the final report. Until then, a person sees the progress. */
const followed = <E>(frames: Stream.Stream<ConformanceFrame, E>): Effect.Effect<ConformanceReport, E> =>
  frames.pipe(
    Stream.tap((frame) => Effect.sync(() => tell(frame))),
    Stream.filter((frame) => frame.type === "report"),
    Stream.runHead,
    Effect.flatMap(
      Option.match({ onNone: () => Effect.die("No report"), onSome: ({ report }) => Effect.succeed(report) })
    )
  )

const tell = (frame: ConformanceFrame): void => {
  if (!process.stderr.isTTY) return
  if (frame.type === "probing") Terminal.rewrite(`${frame.done + 1}/${frame.of}  ${frame.capability}`)
  if (frame.type === "report") Terminal.rewrite("")
}
