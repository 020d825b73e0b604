/** All handlers for the agent of one session: those for every agent, and those that its settings grant. */
import type { Handlers } from "@signalbox/acp/AcpClient"
import * as Effect from "effect/Effect"
import type * as Scope from "effect/Scope"
import * as Containment from "../../../workspace/Containment.ts"
import { EditorDesk } from "../../../editors/EditorDesk.ts"
import type { Grant } from "../../../workspace/ProtectedPaths.ts"
import type { Terminals } from "../../../workspace/Terminals.ts"
import type { Sandbox } from "../../../sandbox/Sandbox.ts"
import type { ProcessLedger } from "@signalbox/process/ProcessLedger"
import type { StartSession } from "../../Services/ProviderAdapter.ts"
import * as AgentTerminalWatch from "../projection/AgentTerminalWatch.ts"
import * as ElicitationRequests from "../requests/ElicitationRequests.ts"
import * as EditorFiles from "../requests/EditorFiles.ts"
import * as EditorIde from "../requests/EditorIde.ts"
import * as FileRequests from "../requests/FileRequests.ts"
import * as RefusedAccess from "../requests/RefusedAccess.ts"
import { placeNow } from "./SessionCore.ts"
import type { SessionAudit } from "../../../audit/SessionAudit.ts"
import type { SessionJudge } from "../../../rules/SessionJudge.ts"
import * as SessionGuard from "./SessionGuard.ts"
import * as SessionHandlers from "./SessionHandlers.ts"
import type { StartWatch } from "../connection/StartWatch.ts"
import * as TerminalRequests from "../requests/TerminalRequests.ts"
import * as Warnings from "../projection/Warnings.ts"

export interface ServiceOptions extends SessionHandlers.HandlerOptions {
  readonly input: StartSession
  readonly ledger: ProcessLedger["Service"]
  /** Names of programs that continue after the session. They are reported, not ended. */
  readonly keeps: ReadonlyArray<string>
  /** The agent's sandbox, which its programs run in, too. */
  readonly sandbox: Sandbox
  /** Folders of Signalbox, where agents may not read or write. */
  readonly ownFolders: ReadonlyArray<string>
  readonly watch: Pick<StartWatch, "forPeople" | "waitsFor">
  /** Whether a component of the session asks about code. */
  readonly asksAboutCode: boolean
  readonly judge: SessionJudge
  readonly audit: SessionAudit
  readonly now: () => number
}

export interface SessionServices {
  readonly handlers: Handlers
  /** Undefined if the agent may not run programs. */
  readonly terminals: Terminals | undefined
  readonly editor: Pick<EditorFiles.EditorFiles, "withdrawWrites">
  /** Whether an editor answers questions about code. The agent learns it at its start. */
  readonly ideOperations: boolean
}

/** Makes the handlers. Closing the scope ends the agent's programs. */
export const make = Effect.fnUntraced(function* (
  options: ServiceOptions
): Effect.fn.Return<SessionServices, never, Scope.Scope> {
  const {
    asksAboutCode,
    audit,
    emission,
    input,
    judge,
    keeps,
    ledger,
    now,
    ownFolders,
    profile,
    projection,
    requests,
    sandbox,
    secrets,
    status,
    watch
  } = options
  const { environment, files, hardLinks, missingFile, shellLines, terminals } = profile.workspace(input)
  const { additionalDirectories = [], cwd, threadId } = input
  const folders = [cwd, ...additionalDirectories] as const
  const roots = yield* Containment.pin(folders)
  const grant: Grant = { roots, own: ownFolders, hardLinks }
  const guard = SessionGuard.make({ audit, judge, requests, status, now })
  const desk = yield* EditorDesk
  const refused = RefusedAccess.teller(profile.name, emission, audit)
  const terminal = terminals
    ? yield* TerminalRequests.make({
        name: profile.name,
        keeps,
        threadId,
        desk,
        folders,
        ledger,
        sandbox,
        cwd,
        grant,
        shellLines,
        environment,
        secrets,
        emission,
        refused,
        guard
      })
    : undefined
  const editor = yield* EditorFiles.make({ desk, threadId, folders, emission, refused })
  yield* AgentTerminalWatch.make(projection, emission)
  // An answer may run what a project brings, with the rights of the person: a sandbox would not hold it.
  const isServed = !sandbox.holds && (asksAboutCode || files !== "off")
  const ide = isServed ? EditorIde.make({ desk, threadId, grant, guard, folders, refused }) : undefined
  return {
    terminals: terminal?.terminals,
    editor,
    ideOperations: ide !== undefined,
    handlers: {
      ...SessionHandlers.make(options, ide),
      ...FileRequests.make({ access: files, grant, missingFile, emission, refused, guard, editor }),
      elicitation: ElicitationRequests.make({
        name: profile.name,
        requests,
        // Before the session is announced, its start waits for people.
        ask: (draft) => watch.forPeople(requests.ask(draft, placeNow(status))),
        refusalOf: guard.refusalOf,
        during: () => (status.phase === "starting" ? watch.waitsFor() : undefined),
        warn: (message) => emission.emit((projection) => Warnings.warn(projection, message))
      }),
      terminal: terminal?.handlers
    }
  }
})
