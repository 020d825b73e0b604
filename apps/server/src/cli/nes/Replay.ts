/** `signalbox nes replay`: plays what people typed to another agent, and compares its suggestions with the recorded ones. */
import * as Effect from "effect/Effect"
import type * as Option from "effect/Option"
import { unlessSignalled } from "../terminal/Signals.ts"
import * as Compose from "../../compose/Editing.ts"
import { Editing } from "../../editing/Editing.ts"
import type { Overview } from "../../recording/RecordingReader.ts"
import { type AgentFlags, agentOf } from "../run/AgentChoice.ts"
import * as StateFolder from "../server/StateFolder.ts"
import { ExitCode } from "../terminal/ExitCode.ts"
import { failedWith } from "../terminal/Failure.ts"
import * as Stdout from "../terminal/Stdout.ts"
import * as Terminal from "../terminal/Terminal.ts"
import * as ReplayChoice from "./ReplayChoice.ts"
import * as ReplayFiles from "./ReplayFiles.ts"
import * as ReplayPlayer from "./ReplayPlayer.ts"
import * as ReplayReport from "./ReplayReport.ts"
import * as ReplayScore from "./ReplayScore.ts"
import { providerOf } from "./SuggestionProvider.ts"

export interface ReplayFlags extends AgentFlags {
  readonly stateDir: Option.Option<string>
  readonly json: boolean
  readonly tape: string
}

const command = "nes replay"

export const replay = Effect.fn("NesReplay")(function* (flags: ReplayFlags) {
  const directory = yield* StateFolder.of(flags.stateDir)
  const overview = yield* ReplayChoice.of(flags.tape, directory)
  const { roots } = overview.begun
  const named = yield* providerOf(command, flags, directory)
  const { provider, providerOptions } = yield* agentOf(command, { ...flags, provider: named }, directory, roots[0])
  const files = ReplayFiles.make()
  const score = ReplayScore.make()
  const progress = progressOf(overview.questions)
  let agent = provider.name

  const report = Effect.suspend(() => {
    const replayed = { overview, agent, figures: score.figures() }
    return flags.json ? Stdout.line(ReplayReport.json(replayed)) : Stdout.write(ReplayReport.text(replayed))
  })
  const played = Effect.gen(function* () {
    const { desk: deskOf } = yield* Editing
    const desk = yield* deskOf({ provider, providerOptions, roots })
    yield* ReplayPlayer.play(overview, {
      desk,
      score,
      onRead: ({ path, text }) => files.take(path, text),
      onAsk: progress.next,
      onAnswered: (question) => {
        const running = desk.agent()
        if (running !== undefined) agent = [running.name, running.version ?? ""].join(" ").trimEnd()
        return flags.json ? Stdout.line(ReplayReport.questionJson(question)) : Effect.void
      }
    })
  }).pipe(
    Effect.scoped,
    Effect.provide(Compose.layer(directory, { isTrial: true, idle: "1 day", files: files.over })),
    Effect.ensuring(progress.end),
    // An interruption ends the agent's processes before this process exits.
    unlessSignalled
  )
  yield* Stdout.unlessNobodyReads(
    played.pipe(
      Effect.catchTags({
        RecordingFault: (fault) => Effect.fail(ReplayChoice.unplayable(fault)),
        ProviderError: ({ problem }) => Effect.fail(failedWith(problem, ExitCode.failed))
      }),
      // What was compared until then counts all the same.
      Effect.tapError(() => (score.figures().questions === 0 ? Effect.void : report)),
      Effect.andThen(report)
    )
  )
  tellEnding(overview)
})

const tellEnding = ({ ending }: Overview): void => {
  const words = {
    closed: undefined,
    full: "The recording stops where it was full.",
    unfinished: "The recording has no end: it is still written, or Signalbox was ended in the middle.",
    cut: "The recording ends in the middle of a line, which is left out: Signalbox was ended in the middle."
  }[ending]
  if (words !== undefined) Terminal.err({ style: "warning", text: words })
}

/** Milliseconds between two looks at the progress. */
const pause = 100

/** How far it is, on a terminal. */
const progressOf = (all: number) => {
  let asked = 0
  let last = Number.NEGATIVE_INFINITY
  return {
    next: Effect.sync(() => {
      asked += 1
      const now = performance.now()
      if (!process.stderr.isTTY || now - last < pause) return
      last = now
      Terminal.rewrite(`Question ${asked} of ${all}`)
    }),
    end: Effect.sync(() => {
      if (process.stderr.isTTY) Terminal.rewrite("")
    })
  }
}
