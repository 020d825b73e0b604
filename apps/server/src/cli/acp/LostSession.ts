/** How a conversation goes on that its agent has lost, asked in the editor. */
import type { AcpAgent } from "@signalbox/acp/AcpAgent"
import type { ThreadView } from "@signalbox/contracts/ThreadView"
import * as Effect from "effect/Effect"

/** `transcript`: the prompt is sent with what was said before. Undefined: it is not sent. */
export type Way = "transcript" | "without" | undefined

/** An editor that can't ask sends nothing. */
export const ask = (
  agent: Pick<AcpAgent, "requestPermission">,
  { provider, sequence, threadId }: ThreadView
): Effect.Effect<Way> =>
  agent
    .requestPermission({
      sessionId: threadId,
      toolCall: {
        toolCallId: `lost-session:${sequence}`,
        title: `${provider.name} has lost the session with this conversation. How should it go on?`,
        kind: "other",
        status: "pending"
      },
      options: [
        { optionId: "transcript", name: "Send it with the conversation so far", kind: "allow_once" },
        { optionId: "without", name: "Send it without the conversation", kind: "allow_once" },
        { optionId: "no", name: "Don't send it", kind: "reject_once" }
      ]
    })
    .pipe(
      Effect.map(({ outcome }): Way => {
        const chosen = outcome.outcome === "selected" ? outcome["optionId"] : undefined
        return chosen === "transcript" || chosen === "without" ? chosen : undefined
      }),
      Effect.catch(() => Effect.undefined)
    )
