/** The state of a language server, for people. */

export type Phase =
  /** Its program starts. */
  | "starting"
  /** It reads its project. */
  | "loading"
  | "ready"
  /** It ended by itself, and is started again soon. */
  | "restarting"
  /** It ended again and again, or can't be started. */
  | "given-up"
  /** It was ended: nobody asked, or its place was needed. */
  | "ended"

export interface ServerState {
  /** The id of its definition. */
  readonly id: string
  readonly name: string
  readonly root: string
  readonly phase: Phase
  readonly pid?: number
  /** When the phase began, in milliseconds since 1970. */
  readonly since: number
  /** How often it was started again after it had ended by itself. */
  readonly restarts: number
  /** Why it is not ready, or was started again: the cause, the evidence and the next step. */
  readonly problem?: string
  /** How many documents it has open. */
  readonly documents: number
  /** The work that it reports. */
  readonly progress?: string
  /** The name and version that it reports. */
  readonly about?: string
  /** How many parts of its messages were malformed and left out, and a sample. */
  readonly malformed: number
  readonly malformedSample?: string
  /** Why it does not hear of all that changes on the disk, and the next step. */
  readonly unheard?: string
  /** The last messages that it had for people, oldest first. */
  readonly messages: ReadonlyArray<string>
}
