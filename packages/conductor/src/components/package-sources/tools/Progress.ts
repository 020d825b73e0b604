/** Says to whoever calls a tool what a researcher does meanwhile, where the caller wants to hear it. */
import * as McpOverAcp from "@signalbox/acp/McpOverAcp"
import * as Effect from "effect/Effect"
import * as FiberSet from "effect/FiberSet"
import * as McpSchema from "effect/ai/McpSchema"
import * as McpServer from "effect/ai/McpServer"
import { type Step, wordsOf } from "../research/Findings.ts"

/** Words about what a researcher does come no more often than this, in milliseconds. Findings always come. */
const pause = 1000

const worded = (step: Step): string => ("doing" in step ? step.doing : wordsOf(step.finding))

const mostCharacters = 2000

/** Makes what gives each call of a server its listener. */
export const make = Effect.gen(function* () {
  const { notifications } = yield* McpServer.McpServer
  const run = yield* FiberSet.makeRuntime<never, void>()
  return Effect.map(McpSchema.McpRequestContext, (context) => {
    const { progressToken } = McpOverAcp.objectOf(context.requestMetadata)
    if (typeof progressToken !== "string" && typeof progressToken !== "number") return () => {}
    let progress = 0
    let last = 0
    return (step: Step): void => {
      const now = Date.now()
      if ("doing" in step && now - last < pause) return
      last = now
      progress += 1
      const message = worded(step).slice(0, mostCharacters)
      run(
        notifications["notifications/progress"]({ progressToken, progress, message }).pipe(
          Effect.provideService(McpSchema.McpRequestContext, context),
          Effect.ignore
        )
      )
    }
  })
})
