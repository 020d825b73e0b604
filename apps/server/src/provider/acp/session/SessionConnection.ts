/** An agent's process for a session, and the connection to it. */
import * as AcpClient from "@signalbox/acp/AcpClient"
import type { PlannedComponent } from "@signalbox/conductor/components/PlannedComponent"
import * as IdeOperation from "@signalbox/contracts/IdeOperation"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import type * as Scope from "effect/Scope"
import type { Terminals } from "../../../workspace/Terminals.ts"
import type { ProcessLedger } from "@signalbox/process/ProcessLedger"
import { ProviderError } from "../../../base/ProviderError.ts"
import type { SignedIn } from "../../Services/SignedIn.ts"
import * as AgentProcess from "../../agent/AgentProcess.ts"
import type { Options } from "../../chain/ChainedAgent.ts"
import * as PlannedComponents from "../../chain/PlannedComponents.ts"
import type { StartSession } from "../../Services/ProviderAdapter.ts"
import * as AgentSandbox from "../../agent/AgentSandbox.ts"
import type { RunningAgent } from "../../agent/RunningAgent.ts"
import type { Launch } from "../../agent/Launch.ts"
import type { AgentRoster } from "./AgentRoster.ts"
import { whoOf } from "../connection/AuthStatus.ts"
import * as Dialects from "../connection/Dialects.ts"
import type { EventOutlet } from "../../Services/EventOutlet.ts"
import type { EditorFiles } from "../requests/EditorFiles.ts"
import * as Issues from "../connection/Issues.ts"
import { promptDigest } from "../projection/PromptDigest.ts"
import * as SessionPhase from "./SessionPhase.ts"
import type { SessionParts } from "./SessionParts.ts"
import * as SessionServices from "./SessionServices.ts"
import type { Timing } from "../profile/SessionTiming.ts"
import type { StartWatch } from "../connection/StartWatch.ts"

export interface Dependencies {
  readonly outlet: EventOutlet
  readonly ledger: ProcessLedger["Service"]
  readonly signedIn: SignedIn["Service"]
  readonly roster: AgentRoster
  readonly timing: Timing
  /** Folders of Signalbox, where agents may not read or write. */
  readonly ownFolders: ReadonlyArray<string>
  readonly languageServers: Options["languageServers"]
}

export interface SessionConnection {
  readonly process: RunningAgent
  readonly client: AcpClient.AcpClient
  /** The agent's output outside of the protocol. */
  readonly stray: ReturnType<typeof Issues.strayOutput>
  /** Programs that Signalbox runs for the agent. Undefined if the agent may not run any. */
  readonly terminals: Terminals | undefined
  readonly editor: Pick<EditorFiles, "withdrawWrites">
  /** Whether an editor answers questions about code. */
  readonly ideOperations: boolean
}

/** Starts the process and connects to it. Closing the scope ends the process and its programs. */
export const make = Effect.fnUntraced(function* (
  { audit, emission, input, judge, mcp, now, profile, projection, requests, seal, secrets, status, tape }: SessionParts,
  launch: Launch,
  { languageServers, ledger, outlet, ownFolders, roster, signedIn, timing }: Dependencies,
  watch: StartWatch
): Effect.fn.Return<SessionConnection, ProviderError, Scope.Scope> {
  const { additionalDirectories = [], cwd, providerOptions } = input
  const folders = [cwd, ...additionalDirectories]
  const sandbox = yield* AgentSandbox.make({ launch, cwd, folders, own: ownFolders, providerOptions })
  const onComponentLine: PlannedComponents.Log = (component, line) => tape.stderr(line, component)
  const planned = yield* componentsOf(input, profile.name, onComponentLine)
  const options: AgentProcess.StartOptions = {
    runsFor: input.threadId,
    ledger,
    launch,
    sandbox,
    cwd: input.cwd,
    stopGrace: timing.stop ?? profile.stopGrace,
    secrets,
    onStderr: tape.stderr,
    onOutputEnd: () => {
      SessionPhase.send(status, "silenced")
    }
  }
  const process =
    planned.length === 0
      ? yield* AgentProcess.start(options)
      : yield* Effect.flatMap(chainedAgent, ({ start }) =>
          start({
            ...options,
            name: profile.name,
            components: planned,
            languageServers,
            seal,
            onComponentLine,
            onParts: (parts) => tape.note({ event: "chain", parts }),
            onHop: tape.hop
          })
        )
  yield* roster.enter({ input, process, requests, status })
  tape.note({
    event: "start",
    argv: [launch.command, ...launch.args],
    cwd: input.cwd,
    envNames: Object.keys(launch.env),
    ...(process.pid !== undefined && { pid: process.pid }),
    ...(launch.protocol === 2 && { protocol: launch.protocol }),
    threadId: input.threadId,
    provider: input.provider,
    ...(launch.version !== undefined && { agentVersion: launch.version }),
    ...(input.resume !== undefined && { resume: input.resume }),
    knownPrompts: input.knownPrompts.map(promptDigest),
    settings: input.settings,
    ...(input.from !== undefined && { from: input.from }),
    ...(input.additionalDirectories !== undefined && { additionalDirectories: input.additionalDirectories }),
    ...(planned.length > 0 && { components: planned.map(({ name }) => name) }),
    ...(mcp.ready.length + mcp.leftOut.length > 0 && { mcp: { ready: mcp.ready, leftOut: mcp.leftOut } }),
    cancelGraceMs: Duration.toMillis(timing.cancelGrace)
  })
  const { editor, handlers, ideOperations, terminals } = yield* SessionServices.make({
    input,
    profile,
    projection,
    emission,
    requests,
    status,
    outlet,
    ledger,
    keeps: launch.keeps ?? [],
    sandbox,
    ownFolders,
    secrets,
    watch,
    asksAboutCode: PlannedComponents.standsOn(planned, IdeOperation.capability),
    judge,
    audit,
    now
  })
  const stray = Issues.strayOutput(secrets)
  watch.heard = () => ({ ...process.stderr(), stray: stray.lines() })
  const client = yield* AcpClient.make(
    process.transport,
    {
      ...handlers,
      onUpdates: (batch) => {
        // A long history takes time, so it counts as progress. Other updates before the session don't.
        if (projection.replay !== undefined) watch.progress()
        return handlers.onUpdates(batch)
      },
      onAuthStatus: (said) => signedIn.report(input.provider.id, whoOf(said)),
      onIssue: (issue) => {
        stray.see(issue)
        handlers.onIssue?.(issue)
      }
    },
    { tap: { onLine: tape.wire }, ...(yield* Dialects.of(launch)) }
  )
  return { process, client, stray, terminals, editor, ideOperations }
})

/** Few sessions have components, and a chain stands on much. */
const chainedAgent = Effect.promise(() => import("../../chain/ChainedAgent.ts"))

/** The components of a session, as its settings and its thread have it. */
const componentsOf = (
  { components, providerOptions }: StartSession,
  name: string,
  log: PlannedComponents.Log
): Effect.Effect<ReadonlyArray<PlannedComponent>, ProviderError> => {
  return Effect.fromResult(PlannedComponents.plan(providerOptions.components ?? [], components, log)).pipe(
    Effect.mapError((fault) => {
      const problem = PlannedComponents.problemOf(fault)
      return new ProviderError({ problem: { ...problem, title: `The components of ${name} can’t be started.` } })
    })
  )
}
