/** All that the agent of one session may ask of us: what every agent may, and beside it what its settings grant. */
import type { Handlers } from "@signalbox/acp/AcpClient"
import * as Effect from "effect/Effect"
import type * as Scope from "effect/Scope"
import * as Containment from "../../../workspace/Containment.ts"
import type { Grant } from "../../../workspace/ProtectedPaths.ts"
import type { Terminals } from "../../../workspace/Terminals.ts"
import type { ProcessLedger } from "@signalbox/process/ProcessLedger"
import type { StartSession } from "../../Services/ProviderAdapter.ts"
import * as AgentTerminalWatch from "../projection/AgentTerminalWatch.ts"
import * as ElicitationRequests from "../requests/ElicitationRequests.ts"
import * as FileRequests from "../requests/FileRequests.ts"
import * as RefusedAccess from "../requests/RefusedAccess.ts"
import { placeNow } from "./SessionCore.ts"
import * as SessionHandlers from "./SessionHandlers.ts"
import type { StartWatch } from "../connection/StartWatch.ts"
import * as TerminalRequests from "../requests/TerminalRequests.ts"
import * as Warnings from "../projection/Warnings.ts"

export interface ServiceOptions extends SessionHandlers.HandlerOptions {
  readonly input: StartSession
  readonly ledger: ProcessLedger["Service"]
  /** Names of programs that go on when the session ends: they are told, and not ended. */
  readonly keeps: ReadonlyArray<string>
  /** Folders of our own, in which nothing is read or written for agents. */
  readonly ownFolders: ReadonlyArray<string>
  readonly watch: Pick<StartWatch, "forPeople" | "waitsFor">
}

export interface SessionServices {
  readonly handlers: Handlers
  /** Absent where it may not have us run anything. */
  readonly terminals: Terminals | undefined
}

/** Closing the scope ends whatever it has had us run. */
export const make = Effect.fnUntraced(function* (
  options: ServiceOptions
): Effect.fn.Return<SessionServices, never, Scope.Scope> {
  const { emission, input, keeps, ledger, ownFolders, profile, projection, requests, secrets, status, watch } = options
  const { environment, files, hardLinks, missingFile, shellLines, terminals } = profile.workspace(input)
  const { additionalDirectories = [], cwd, threadId } = input
  const roots = yield* Containment.pin([cwd, ...additionalDirectories])
  const grant: Grant = { roots, own: ownFolders, hardLinks }
  const refused = RefusedAccess.teller(profile.name, emission)
  const terminal = terminals
    ? yield* TerminalRequests.make({
        name: profile.name,
        keeps,
        threadId,
        ledger,
        cwd,
        grant,
        shellLines,
        environment,
        secrets,
        emission,
        refused
      })
    : undefined
  yield* AgentTerminalWatch.make(projection, emission)
  return {
    terminals: terminal?.terminals,
    handlers: {
      ...SessionHandlers.make(options),
      ...FileRequests.make({ access: files, grant, missingFile, emission, refused }),
      elicitation: ElicitationRequests.make({
        name: profile.name,
        requests,
        // Before there is a session, its start waits for people.
        ask: (draft) => watch.forPeople(requests.ask(draft, placeNow(status))),
        during: () => (status.phase === "starting" ? watch.waitsFor() : undefined),
        warn: (message) => emission.emit((projection) => Warnings.warn(projection, message))
      }),
      terminal: terminal?.handlers
    }
  }
})
