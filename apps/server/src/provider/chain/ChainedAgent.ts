/** An agent with components in front of it. To its session the chain is a running agent. */
import * as MessageLink from "@signalbox/acp/MessageLink"
import * as Transport from "@signalbox/acp/Transport"
import { ChainFailure } from "@signalbox/conductor/ChainFailure"
import * as Component from "@signalbox/conductor/Component"
import * as AddedBridge from "@signalbox/conductor/components/bridge/AddedBridge"
import * as PlannedComponent from "@signalbox/conductor/components/PlannedComponent"
import * as Conductor from "@signalbox/conductor/Conductor"
import type { Observer } from "@signalbox/conductor/Observer"
import type { Seal } from "@signalbox/conductor/Seal"
import type { ChainPart, SessionChain } from "@signalbox/contracts/SessionChain"
import * as Secrets from "@signalbox/redaction/Secrets"
import * as Clock from "effect/Clock"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Fiber from "effect/Fiber"
import * as MutableRef from "effect/MutableRef"
import type * as Scope from "effect/Scope"
import * as Stream from "effect/Stream"
import type { Host } from "@signalbox/conductor/BuiltInComponent"
import type { ServerDefinition } from "@signalbox/lsp/ServerDefinition"
import type { ProviderError } from "../../base/ProviderError.ts"
import { version } from "../../base/Version.ts"
import type { AgentExit } from "../agent/AgentExit.ts"
import * as AgentProcess from "../agent/AgentProcess.ts"
import type { RunningAgent } from "../agent/RunningAgent.ts"
import * as ChainTraffic from "./ChainTraffic.ts"
import * as HopRecord from "./HopRecord.ts"
import * as PlannedComponents from "./PlannedComponents.ts"

export interface Options extends AgentProcess.StartOptions {
  /** The agent's name for people. */
  readonly name: string
  /** Nearest to people first; at least one. */
  readonly components: ReadonlyArray<PlannedComponent.PlannedComponent>
  /** The language servers that people have turned on. Undefined: components look for known ones. */
  readonly languageServers: Effect.Effect<ReadonlyArray<ServerDefinition> | undefined>
  /** Marks what built-in components say themselves. */
  readonly seal: Seal
  /** Gets what components write to stderr. */
  readonly onComponentLine: (name: string, line: string) => void
  /** Is called once the parts are known. */
  readonly onParts: (parts: SessionChain) => void
  /** Gets what the parts say to each other, each message as a `TraceEvent` in JSON text. */
  readonly onHop: (event: string) => void
}

/** Starts the agent, and its components as soon as it is initialized. Closing the scope ends all of them. */
export const start = Effect.fn("ChainedAgent.start")(function* (
  options: Options
): Effect.fn.Return<RunningAgent, ProviderError, Scope.Scope> {
  const { components, name, onHop, onOutputEnd, onParts } = options
  const clock = yield* Clock.Clock
  const begin = AgentProcess.start({ ...options, onOutputEnd: undefined })
  const agent = MutableRef.make(yield* begin)
  const failed = MutableRef.make<ChainFailure | undefined>(undefined)
  /** Completes when nothing goes through the chain any more. */
  const over = yield* Deferred.make<void>()
  const parts = MutableRef.make<SessionChain>([])
  const traffic = MutableRef.make<ChainTraffic.ChainTraffic | undefined>(undefined)

  const [near, far] = yield* Transport.pair()
  const link = yield* MessageLink.overBytes(far)
  const definitions = yield* options.languageServers
  const proxies = components.map((planned) => componentOf(planned, options, definitions && { definitions }))
  const last = agentComponent(name, agent, begin)
  const chain = yield* Conductor.run(link, {
    mode: "agent",
    assemble: PlannedComponent.mayNeedBridge(components)
      ? AddedBridge.assemble(proxies, last)
      : AddedBridge.assembleAdapters(proxies, last),
    observerOf: ({ proxies }) => {
      MutableRef.set(parts, partsOf(components, proxies, name))
      onParts(MutableRef.get(parts))
      const names = MutableRef.get(parts).map((part) => part.name)
      const now = () => Number(clock.monotonicTimeNanosUnsafe()) / 1e6
      const counted = ChainTraffic.make(names, now)
      MutableRef.set(traffic, counted)
      return both(counted.observer, HopRecord.make({ proxies: proxies.length, now, write: onHop }))
    },
    onFailure: (failure) => {
      MutableRef.set(failed, failure)
      Deferred.doneUnsafe(over, Exit.void)
    }
  }).pipe(
    Effect.onExit(() => Deferred.succeed(over, undefined)),
    Effect.forkScoped
  )

  const withCause = (exit: AgentExit): AgentExit => {
    const failure = MutableRef.get(failed)
    // The agent's own end needs no other words.
    if (failure === undefined || failure.component === name) return exit
    const { component, exitCode, message, signal, stderrTail = [] } = failure
    return {
      ...exit,
      component: {
        message,
        stderrTail,
        ...(component !== undefined && { name: component }),
        ...(exitCode !== undefined && { exitCode }),
        ...(signal !== undefined && { signal })
      }
    }
  }
  const agentNow = Effect.sync(() => MutableRef.get(agent))
  const endOfComponents = Fiber.interrupt(chain)

  return {
    get pid() {
      return MutableRef.get(agent).pid
    },
    get startedAt() {
      return MutableRef.get(agent).startedAt
    },
    lastSignAt: () => MutableRef.get(agent).lastSignAt(),
    pipes: () => MutableRef.get(agent).pipes(),
    stderr: () => MutableRef.get(agent).stderr(),
    transport: {
      input: onOutputEnd ? Stream.ensuring(near.input, Effect.sync(onOutputEnd)) : near.input,
      output: near.output
    },
    exited: Deferred.await(over).pipe(
      Effect.andThen(agentNow),
      Effect.flatMap(({ exited }) => exited),
      Effect.map(withCause)
    ),
    // The components leave first, and what they have passed on is still written.
    stop: endOfComponents.pipe(
      Effect.andThen(agentNow),
      Effect.flatMap(({ stop }) => stop),
      Effect.map(withCause)
    ),
    kill: agentNow.pipe(
      Effect.flatMap(({ kill }) => kill),
      Effect.tap(endOfComponents),
      Effect.map(withCause)
    ),
    chain: {
      parts: () => MutableRef.get(parts),
      traffic: () => MutableRef.get(traffic)?.report() ?? [],
      isOver: () => MutableRef.get(failed) !== undefined
    }
  }
})

const both = (one: Observer, other: Observer): Observer => ({
  request: (from, to, id, words) => {
    one.request(from, to, id, words)
    other.request(from, to, id, words)
  },
  notification: (from, to, words) => {
    one.notification(from, to, words)
    other.notification(from, to, words)
  },
  response: (from, to, id, answer) => {
    one.response(from, to, id, answer)
    other.response(from, to, id, answer)
  }
})

/**
 * Makes the agent the last component. Its first process runs already. A component may initialize the agent in other words than
 * the bridge's question did: then another process is started.
 */
const agentComponent = (
  name: string,
  agent: MutableRef.MutableRef<RunningAgent>,
  begin: Effect.Effect<RunningAgent, ProviderError, Scope.Scope>
): Component.Component => {
  let isFirst = true
  const notStarted = ({ problem: { cause } }: ProviderError) =>
    new ChainFailure({ reason: "NotStarted", component: name, message: `${name} could not be started. ${cause}` })
  return {
    name,
    start: Effect.gen(function* () {
      if (!isFirst) MutableRef.set(agent, yield* Effect.mapError(begin, notStarted))
      isFirst = false
      return yield* Component.running(MutableRef.get(agent))
    })
  }
}

/** How long a component may take to end, behind the agent or with it. */
const stopGrace = { closeInput: "1 second", terminate: "1 second" } as const

const componentOf = (
  planned: PlannedComponent.PlannedComponent,
  options: Options,
  languageServers: Host["languageServers"]
): Component.Component => {
  const { cwd, ledger, onComponentLine, runsFor, seal } = options
  if (planned.type === "built-in")
    return PlannedComponent.inProcess(planned, { ledger, runsFor, seal, languageServers })
  const { args, command, env, name, proxyDialect } = planned
  return Component.program({
    name,
    proxyDialect,
    program: { command, args, env },
    ledger,
    cwd,
    runsFor,
    secrets: Secrets.of({ ...process.env, ...env }),
    stopGrace,
    onStderr: (line) => onComponentLine(name, line)
  })
}

/** The parts of a chain, whose agent is last. Components that nobody has named were added. */
const partsOf = (
  components: ReadonlyArray<PlannedComponent.PlannedComponent>,
  proxies: ReadonlyArray<Component.Component>,
  agent: string
): SessionChain => [
  ...proxies.map(({ addedBecause, name }): ChainPart => {
    if (addedBecause !== undefined) {
      const role = proxies.some(({ adapter }) => adapter?.component.name === name) ? "adapter" : "bridge"
      return { name, role, because: addedBecause, version }
    }
    const planned = components.find((one) => one.name === name)
    return {
      name,
      role: "component",
      ...(planned?.type === "program" && { commandLine: PlannedComponents.commandLineOf(planned) }),
      ...(planned?.type === "built-in" && { summary: planned.component.summary, version })
    }
  }),
  { name: agent, role: "agent" }
]
