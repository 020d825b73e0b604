/** Files in the transcript: those that were written for an agent, and those that it says it made. */
import * as EventSink from "./EventSink.ts"
import * as Strand from "./Strand.ts"

/** Session state that this file reads and changes. */
export interface State {
  readonly sink: EventSink.EventSink
  /** The stretch that is told now. */
  readonly current: Strand.Strand
  /** How many files were written for the agent. */
  writes: number
}

/** A file was written for the agent. */
export const written = (
  state: State,
  file: { readonly path: string; readonly bytes: number; readonly created: boolean }
): void => {
  const { current, sink } = state
  state.writes += 1
  const itemId = Strand.itemId(current, `written:${state.writes}`)
  const { bytes, created, path } = file
  EventSink.push(sink, { type: "file.written", ...current.place, itemId, path, bytes, created })
}

/** The agent says that it made a file. */
export const generated = (
  { current, sink }: State,
  { description, id, path }: { readonly id: string; readonly path: string; readonly description?: string | undefined }
): void => {
  const itemId = Strand.itemId(current, `file:${id}`)
  const about = description !== undefined && { description }
  EventSink.push(sink, { type: "file.generated", ...current.place, itemId, path, ...about })
}
