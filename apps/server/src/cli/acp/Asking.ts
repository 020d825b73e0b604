/** What it takes to ask an editor something for the agent behind. */
import type { AcpAgent } from "@signalbox/acp/AcpAgent"
import type { ThreadView } from "@signalbox/contracts/ThreadView"
import type * as Effect from "effect/Effect"

export interface Asking {
  readonly agent: Pick<AcpAgent, "createElicitation" | "initialized" | "requestPermission">
  readonly view: ThreadView
  /** The editor answered after the request was withdrawn from it. */
  readonly onLate: Effect.Effect<void>
}
