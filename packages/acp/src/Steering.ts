/**
 * Sends a prompt within a turn, without ending it: `_session/steering`. It is an extension of claude-agent-acp and
 * codex-acp, advertised in the `_meta` of their `initialize` response.
 */
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Predicate from "effect/Predicate"
import * as Schema from "effect/Schema"
import type { AcpClient, Refused } from "./AcpClient.ts"
import { CapabilityMissing, MalformedResult } from "./AcpError.ts"
import type { ContentBlock, InitializeResponse } from "./AcpSchema.ts"
import * as Capabilities from "./Capabilities.ts"
import type { ConnectionClosed, RpcError } from "./JsonRpc.ts"

const method = "_session/steering"

export const isOffered = (agent: InitializeResponse | undefined): boolean => {
  const steering = agent?._meta?.["steering"]
  return Predicate.isObject(steering) && steering["supported"] === true
}

const Outcome = Schema.Literals(["injected", "startedNewTurn", "promptRequired"])

/**
 * The result of steering.
 * - `injected`: the running turn continues with the prompt.
 * - `startedNewTurn`: no turn ran, and the prompt began one.
 * - `promptRequired`: no turn ran, and nothing was done. Send it as a prompt.
 */
export type Outcome = typeof Outcome.Type

const readResult = Schema.decodeUnknownExit(Schema.Struct({ outcome: Outcome }))

/** Steers the running turn. Fails here if the agent does not offer it: then cancel and send a prompt, or wait. */
export const steer = (
  client: Pick<AcpClient, "extRequest" | "initialized">,
  params: { readonly sessionId: string; readonly prompt: ReadonlyArray<ContentBlock> }
): Effect.Effect<Outcome, RpcError | ConnectionClosed | MalformedResult | Refused> =>
  Effect.suspend((): Effect.Effect<Outcome, RpcError | ConnectionClosed | MalformedResult | Refused> => {
    const agent = client.initialized()
    const capability = isOffered(agent)
      ? Capabilities.missingForPrompt(agent?.agentCapabilities ?? {}, params.prompt)
      : "_meta.steering.supported"
    if (capability !== undefined) return Effect.fail(new CapabilityMissing({ method, capability }))
    // Without this, an idle agent begins a turn that belongs to no prompt of ours.
    const _meta = { steering: { idleBehavior: "promptRequired" } }
    return Effect.flatMap(client.extRequest(method, { ...params, _meta }), (result) => {
      const read = readResult(result)
      if (Exit.isSuccess(read)) return Effect.succeed(read.value.outcome)
      // Some agents answer an unknown method with an empty result, which means that nothing was steered.
      return Effect.fail(new MalformedResult({ method, message: "It says no outcome that is known", result }))
    })
  })
