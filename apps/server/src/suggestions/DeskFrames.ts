/** What a page learns of a desk, as frames: now, and after every change. */
import { defaultDebounceMs } from "@signalbox/contracts/Settings"
import type { SuggestionsFrame, SuggestionsToday } from "@signalbox/contracts/Suggestions"
import * as Stream from "effect/Stream"
import type { DeskState } from "../editing/DeskStates.ts"
import type { SuggestionDesk } from "../editing/SuggestionDesk.ts"
import type { SuggestionPlace } from "../editing/SuggestionPlace.ts"
import type { SettingsReading } from "../settings/SettingsText.ts"

type Desk = Pick<SuggestionDesk, "debounce" | "states">

/** Also gives the desk the wait of the settings. `today`: what the suggestions of its agent have become today. */
export const of = (
  place: SuggestionPlace,
  desk: Desk,
  settings: Stream.Stream<SettingsReading>,
  today: Stream.Stream<SuggestionsToday | undefined>
): Stream.Stream<SuggestionsFrame> => {
  const name = crypto.randomUUID()
  const debounced = debounces(settings).pipe(Stream.tap((debounceMs) => desk.debounce(debounceMs)))
  const states = Stream.zipLatest(debounced, desk.states).pipe(
    Stream.map(([debounceMs, state]) => framesOf(place, name, debounceMs, state))
  )
  // Nobody waits for the figures.
  return Stream.zipLatest(states, Stream.concat(Stream.make(undefined), today)).pipe(
    Stream.map(([frames, figures]): ReadonlyArray<SuggestionsFrame> => [
      ...frames,
      { type: "today", ...(figures !== undefined && { figures }) }
    ]),
    onlyNews,
    Stream.flattenIterable
  )
}

const debounces = (changes: Stream.Stream<SettingsReading>): Stream.Stream<number> =>
  Stream.changes(Stream.map(changes, ({ settings: { suggestions } }) => suggestions?.debounce ?? defaultDebounceMs))

/** All that a page may know of a desk. */
const framesOf = (
  { provider: { id, name } }: SuggestionPlace,
  desk: string,
  debounceMs: number,
  { agent, chosen, doing, recording, settings }: DeskState
): ReadonlyArray<SuggestionsFrame> => [
  {
    type: "on",
    desk,
    agent: { id, name: agent?.name ?? name, ...(agent?.version !== undefined && { version: agent.version }) },
    debounceMs,
    ...(recording !== undefined && { recording })
  },
  { type: "state", state: doing },
  { type: "rules", problems: agent?.faultyRules ?? [] },
  { type: "settings", settings, chosen }
]

/** What pages take for granted. */
const unsaid: ReadonlyArray<SuggestionsFrame> = [
  { type: "rules", problems: [] },
  { type: "settings", settings: [], chosen: {} },
  { type: "today" }
]

/** Leaves out what was sent before. */
const onlyNews = (
  all: Stream.Stream<ReadonlyArray<SuggestionsFrame>>
): Stream.Stream<ReadonlyArray<SuggestionsFrame>> =>
  Stream.mapAccum(
    all,
    (): ReadonlyMap<string, string> => new Map(unsaid.map((frame) => [frame.type, JSON.stringify(frame)])),
    (before, frames) => {
      const now = new Map(frames.map((frame) => [frame.type, JSON.stringify(frame)]))
      return [now, [frames.filter(({ type }) => before.get(type) !== now.get(type))]]
    }
  )
