/**
 * Shows people what a researcher does: a tool call of the component's own, in the session that the question came from. The researcher's
 * session itself is never seen.
 */
import type { Neighbours } from "@signalbox/acp/AcpProxy"
import * as McpOverAcp from "@signalbox/acp/McpOverAcp"
import * as Research from "@signalbox/contracts/Research"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import type * as Scope from "effect/Scope"
import type { Host } from "../../../BuiltInComponent.ts"
import { wordsOf } from "./Findings.ts"
import type { Answer, ResearchFailure, Spectator } from "./Researcher.ts"

/** Ids of steps that were left out, so that their updates are no new steps. More are forgotten, the oldest first. */
const mostLeft = 1000

/** Calls of longer ids are not shown: ids are kept. */
const longestId = 1000

/** News are shown no more often than this: each is kept in the record of the thread. */
const pause = "1 second"

export interface ShownResearch extends Spectator {
  /** Shows how it ended. */
  readonly end: (exit: Exit.Exit<Answer, ResearchFailure>) => Effect.Effect<void>
}

export interface Options extends Pick<Research.Research, "ecosystem" | "package" | "version" | "prompt" | "approval"> {
  readonly client: Neighbours["client"]
  /** The session that the question came from. Undefined while that is not open: then nothing is shown. */
  readonly sessionId: string | undefined
  /** The version of the protocol that the client speaks. */
  readonly protocol: unknown
  readonly seal: Host["seal"]
}

const statuses = {
  running: "in_progress",
  completed: "completed",
  late: "completed",
  failed: "failed",
  cancelled: "failed"
} as const

/** Begins to show a research, until the scope closes. */
export const make = Effect.fnUntraced(function* (
  options: Options
): Effect.fn.Return<ShownResearch, never, Scope.Scope> {
  const { approval, client, ecosystem, package: name, prompt, protocol, seal, sessionId, version } = options
  const clock = yield* Clock.Clock
  const now = () => clock.currentTimeMillisUnsafe()
  const toolCallId = `research-${globalThis.crypto.randomUUID()}`
  const steps = new Map<string, Research.ResearchStep>()
  const leftOut = new Set<string>()
  let left = 0
  let isFirst = true
  let isNews = true
  let research: Research.Research = {
    ecosystem: cut(ecosystem, Research.most.name),
    package: cut(name, Research.most.name),
    version: cut(version, Research.most.name),
    prompt: cut(prompt, Research.most.prompt),
    approval,
    steps: [],
    left: 0,
    decided: 0,
    state: "running"
  }

  const show = Effect.suspend(() => {
    if (!isNews || sessionId === undefined) return Effect.void
    isNews = false
    research = { ...research, steps: [...steps.values()], left }
    // Version 2 of the protocol has one update for both.
    const sessionUpdate = isFirst && protocol === 1 ? "tool_call" : "tool_call_update"
    const head = { title: `Research of ${research.package} ${research.version}`, kind: "other" }
    const update = {
      sessionUpdate,
      toolCallId,
      ...(isFirst && head),
      status: statuses[research.state],
      content: [{ type: "content", content: { type: "text", text: textOf(research) } }],
      _meta: { [Research.metaKey]: research, ...seal?.mark() }
    }
    isFirst = false
    return client.notify("session/update", { sessionId, update })
  })
  const change = (members: Partial<Research.Research>) => {
    research = { ...research, ...members }
    isNews = true
  }

  yield* show
  yield* Effect.forkScoped(Effect.forever(Effect.andThen(Effect.sleep(pause), show)))

  return {
    hear: (params) => {
      const update = McpOverAcp.objectOf(McpOverAcp.objectOf(params)["update"])
      const { kind, sessionUpdate, status, title, toolCallId: id } = update
      if (sessionUpdate !== "tool_call" && sessionUpdate !== "tool_call_update") return
      // An id may be anything that JSON has.
      if (typeof id !== "string" || id.length > longestId || leftOut.has(id)) return
      const before = steps.get(id)
      // An update of a step that was left out is no new one.
      if (before === undefined && sessionUpdate === "tool_call_update" && typeof title !== "string") return
      const state = status === "completed" || status === "failed" ? status : (before?.state ?? "running")
      const isOver = state !== "running" && (before === undefined || before.state === "running")
      const at = before?.at ?? now()
      steps.set(id, {
        at,
        title: typeof title === "string" ? cut(title, Research.most.title) : (before?.title ?? ""),
        kind: typeof kind === "string" ? cut(kind, 40) : (before?.kind ?? "other"),
        state,
        ...(isOver ? { ms: Math.max(0, now() - at) } : before?.ms !== undefined && { ms: before.ms })
      })
      for (const oldest of steps.keys()) {
        if (steps.size <= Research.most.steps) break
        steps.delete(oldest)
        leftOut.add(oldest)
        left += 1
      }
      for (const oldest of leftOut) {
        if (leftOut.size <= mostLeft) break
        leftOut.delete(oldest)
      }
      isNews = true
    },
    decided: () => change({ decided: research.decided + 1 }),
    end: (exit) => {
      change(endOf(exit))
      return show
    }
  }
})

const endOf = (exit: Exit.Exit<Answer, ResearchFailure>): Pick<Research.Research, "state" | "findings"> => {
  if (Exit.isSuccess(exit)) {
    const { findings, timedOut } = exit.value
    const texts = findings.map(wordsOf).join("\n\n")
    return { state: timedOut ? "late" : "completed", findings: cut(texts, Research.most.findings) }
  }
  const failure = Exit.findErrorOption(exit)
  return failure._tag === "Some"
    ? { state: "failed", findings: cut(failure.value.message, Research.most.findings) }
    : { state: "cancelled" }
}

/** What clients show that know nothing of research. */
const textOf = ({ findings, left, prompt, steps }: Research.Research): string =>
  [
    prompt,
    ...(left > 0 ? [`${left} earlier steps`] : []),
    ...steps.map(({ state, title }) => `${state === "running" ? "…" : state === "failed" ? "✗" : "✓"} ${title}`),
    ...(findings === undefined ? [] : [findings])
  ].join("\n\n")

const cut = (text: string, characters: number): string =>
  text.length <= characters ? text : `${text.slice(0, characters - 1)}…`
