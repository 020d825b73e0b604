/** Holds what a kill campaign works with in one life of the server: clients, what they see, and folders. */
import type { Connection } from "./Connection.ts"
import type { Sight } from "./KillPoint.ts"
import type { ThreadRows } from "./ThreadRows.ts"

export interface Stage {
  readonly life: number
  readonly clients: readonly [Connection, Connection]
  /** The list of threads as the first client sees it. */
  readonly list: ThreadRows
  /** When this life began, milliseconds since 1970. */
  readonly began: number
  /** Called when a client sees an event, which may be the moment to kill the server. */
  readonly see: (sight: Sight) => void
  /** The state folder of the server. */
  readonly state: string
  /** The folder in which agents work. */
  readonly project: string
}
