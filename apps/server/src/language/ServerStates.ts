/** What the language servers of a pool do, in words for people. */
import type { LanguageServerState } from "@signalbox/contracts/LanguageFeatures"
import type { ServerState } from "@signalbox/lsp/servers/ServerState"
import * as Effect from "effect/Effect"
import type { LanguagePool } from "./LanguagePool.ts"

/** Lists the servers of a pool, and the entries of the settings that can't be used. */
export const of = ({ servers, unusable }: LanguagePool): Effect.Effect<ReadonlyArray<LanguageServerState>> =>
  Effect.map(servers.states, (states) => [
    ...states.map(stateOf),
    ...unusable.map(({ id, why }): LanguageServerState => ({ id, name: id, phase: "given-up", problem: why }))
  ])

/** The time of the phase is left out: it changes with every phase. */
const stateOf = ({ id, name, phase, pid, problem, progress, root, unheard }: ServerState): LanguageServerState => {
  const words = [problem, unheard].filter((each) => each !== undefined).join(" ")
  return {
    id,
    name,
    root,
    phase,
    ...(pid !== undefined && { pid }),
    ...(words !== "" && { problem: words }),
    ...(progress !== undefined && { progress })
  }
}
