/** Runs of `signalbox run`, and what may be expected of all of them. */
import { assert } from "@effect/vitest"
import { ProviderRuntimeEvent } from "@signalbox/contracts/ProviderRuntimeEvent"
import * as Schema from "effect/Schema"
import { type Ended, scriptedAgent } from "./Signalbox.ts"

const decodeEvent = Schema.decodeUnknownSync(ProviderRuntimeEvent)

/** The events of a `--json` run; fails when a line is anything else. */
export const eventsOf = ({ stdout }: Ended) =>
  stdout
    .trimEnd()
    .split("\n")
    .map((line) => decodeEvent(JSON.parse(line)))

/** Asserts that text for people has no traces of the code. */
export const assertReadable = (ended: Ended): void => {
  assert.notInclude(ended.stderr, "[object Object]")
  assert.notMatch(ended.stderr, /^\s+at .+:\d+:\d+/m)
  assert.notInclude(ended.stderr, "undefined")
}

/** The agent that plays the steps it is prompted with. */
export const play = (steps: ReadonlyArray<object>, ...flags: ReadonlyArray<string>) =>
  ["run", "--agent", scriptedAgent, ...flags, JSON.stringify(steps)] as const

export const simulated = (prompt: string, ...flags: ReadonlyArray<string>) =>
  ["run", "--provider", "cursor-simulated", ...flags, prompt] as const
