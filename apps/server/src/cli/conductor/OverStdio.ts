/** Speaks ACP on standard input and output. Nothing else may write to standard output meanwhile. */
import * as MessageLink from "@signalbox/acp/MessageLink"
import * as Effect from "effect/Effect"
import { onStdio } from "../terminal/OnStdio.ts"

/**
 * Runs until the effect completes or a signal comes, and sets the exit code of the process.
 *
 * @param run completes with the exit code; its scope closes then, or at the signal
 */
export const overStdio = <E, R>(run: (link: MessageLink.MessageLink) => Effect.Effect<number, E, R>) =>
  onStdio((bytes) => Effect.flatMap(MessageLink.overBytes(bytes), run))
