/** Files in the transcript: those that Signalbox wrote for an agent, and those that the agent says it made. */
import * as EventSink from "./EventSink.ts"
import * as Strand from "./Strand.ts"

/** Session state that this file reads and changes. */
export interface State {
  readonly sink: EventSink.EventSink
  /** The strand that receives events now. */
  readonly current: Strand.Strand
  /** How many files were written for the agent. */
  writes: number
}

/** Adds a file that Signalbox wrote for the agent. */
export const written = (
  state: State,
  file: { readonly path: string; readonly bytes: number; readonly created: boolean; readonly version?: string }
): void => {
  const { current, sink } = state
  state.writes += 1
  Strand.endText(current, sink)
  const itemId = Strand.itemId(current, `written:${state.writes}`)
  EventSink.push(sink, { type: "file.written", ...current.place, itemId, ...file })
}

/** Adds a file that the agent says it made. */
export const generated = (
  { current, sink }: State,
  { description, id, path }: { readonly id: string; readonly path: string; readonly description?: string | undefined }
): void => {
  const itemId = Strand.itemId(current, `file:${id}`)
  const about = description !== undefined && { description }
  Strand.endText(current, sink)
  EventSink.push(sink, { type: "file.generated", ...current.place, itemId, path, ...about })
}
