/** The agent processes of an adapter, for reports about their health. */
import type { AgentHealth } from "@signalbox/contracts/Health"
import * as Effect from "effect/Effect"
import type * as Scope from "effect/Scope"
import type { StartSession } from "../../Services/ProviderAdapter.ts"
import type { RunningAgent } from "../../agent/RunningAgent.ts"
import type { OpenRequests } from "../requests/OpenRequests.ts"
import type { ProcessFacts } from "@signalbox/process/ProcessFacts"
import type { SessionStatus } from "./SessionCore.ts"
import * as SessionPhase from "./SessionPhase.ts"

interface Member {
  readonly input: StartSession
  readonly process: RunningAgent
  readonly status: SessionStatus
  readonly requests: Pick<OpenRequests, "anyOpen">
}

export interface AgentRoster {
  /** Adds a process, until the scope is closed. */
  readonly enter: (member: Member) => Effect.Effect<void, never, Scope.Scope>
  readonly health: Effect.Effect<ReadonlyArray<AgentHealth>>
}

export const make = (facts: Pick<ProcessFacts, "residentBytes">): AgentRoster => {
  const members = new Set<Member>()
  return {
    enter: (member) =>
      Effect.acquireRelease(
        Effect.sync(() => void members.add(member)),
        () => Effect.sync(() => void members.delete(member))
      ),
    health: Effect.suspend(() => {
      if (members.size === 0) return Effect.succeed([])
      const groups = new Set(Array.from(members, ({ process }) => process.pid).filter((pid) => pid !== undefined))
      return Effect.map(facts.residentBytes(groups), (sizes) =>
        Array.from(members, (member) =>
          healthOf(member, member.process.pid === undefined ? undefined : sizes.get(member.process.pid))
        )
      )
    })
  }
}

const healthOf = ({ input, process, requests, status }: Member, rssBytes: number | undefined): AgentHealth => ({
  threadId: input.threadId,
  providerId: input.provider.id,
  name: input.provider.name,
  ...(process.pid !== undefined && { pid: process.pid }),
  state: stateOf(status, requests),
  startedAt: process.startedAt,
  lastSignAt: process.lastSignAt(),
  pipes: process.pipes(),
  ...(rssBytes !== undefined && { rssBytes }),
  stderrLines: process.stderr().stderrLines,
  ...(process.chain !== undefined && { chain: process.chain.traffic() })
})

const stateOf = ({ phase, turn }: SessionStatus, requests: Member["requests"]): AgentHealth["state"] => {
  if (SessionPhase.isOver(phase)) return "stopping"
  if (phase === "starting") return "starting"
  if (requests.anyOpen()) return "waiting"
  return turn === undefined ? "ready" : "working"
}
