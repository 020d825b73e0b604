/** Judges requests by rules: what becomes of a command line or of a tool call, and why. */
import type { ToolCall } from "@signalbox/contracts/ToolCall"
import * as Decision from "@signalbox/permission/rules/Decision"
import type { PlacedRule } from "@signalbox/permission/rules/Rule"
import * as RuleSet from "@signalbox/permission/rules/RuleSet"
import type { Place, Subject } from "@signalbox/permission/rules/Subject"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import { homedir } from "node:os"
import * as Containment from "../workspace/Containment.ts"
import * as CommandSubject from "./CommandSubject.ts"
import * as PatternHeads from "./PatternHeads.ts"
import type { Grant } from "./PathLooking.ts"
import * as RequestSubject from "./RequestSubject.ts"

/** The agent and the session of a request. */
export interface Origin {
  /** The id of the agent. */
  readonly agent: string
  /** The folder of the session, absolute. */
  readonly cwd: string
  /** Further folders of the session. */
  readonly additionalDirectories?: ReadonlyArray<string>
  /** The folders of Signalbox, as `ProtectedPaths.OwnFolders` defines them. */
  readonly own: ReadonlyArray<string>
  readonly thread?: string
  readonly session?: string
  readonly sessionKind?: string
}

/** What the machine says about an origin. */
interface Ground {
  readonly grant: Grant
  readonly place: Place
}

const groundOf = ({
  additionalDirectories = [],
  cwd,
  own,
  session,
  sessionKind,
  thread
}: Origin): Effect.Effect<Ground> =>
  Effect.gen(function* () {
    const roots = yield* Containment.pin([cwd, ...additionalDirectories])
    const place: Place = {
      project: roots[0] ?? cwd,
      home: real(homedir()),
      now: yield* Clock.currentTimeMillis,
      ...(thread !== undefined && { thread }),
      ...(session !== undefined && { session }),
      ...(sessionKind !== undefined && { sessionKind })
    }
    return { grant: { own, roots }, place }
  })

const decided = (rules: ReadonlyArray<PlacedRule>, subject: Subject): Decision.Decision =>
  Decision.of(RuleSet.make(rules, subject.place, PatternHeads.follower()), subject)

/** Judges a command line that a shell of the agent would run in the session's folder. */
export const command = Effect.fn("Judging.command")(function* (
  rules: ReadonlyArray<PlacedRule>,
  origin: Origin,
  line: string
) {
  const { grant, place } = yield* groundOf(origin)
  const asked = yield* CommandSubject.of(line, origin.cwd, grant)
  return decided(rules, { agent: origin.agent, kind: "execute", place, ...asked })
})

/**
 * Judges a tool call that an agent asks about.
 *
 * @param look what following its paths has found
 */
export const call = Effect.fn("Judging.call")(function* (
  rules: ReadonlyArray<PlacedRule>,
  origin: Origin,
  surroundings: Pick<RequestSubject.Surroundings, "base" | "isRemote" | "shell">,
  tool: ToolCall,
  look: RequestSubject.Look
) {
  const { grant, place } = yield* groundOf(origin)
  return decided(rules, yield* RequestSubject.of(tool, look, { ...surroundings, agent: origin.agent, grant, place }))
})

/**
 * Judges what an agent asks of Signalbox itself.
 *
 * @param subjectOf what is asked for. The grant says which folders are the session's
 */
export const asked = Effect.fn("Judging.asked")(function* (
  rules: ReadonlyArray<PlacedRule>,
  origin: Origin,
  subjectOf: (grant: Grant) => Effect.Effect<Omit<Subject, "agent" | "place">>
) {
  const { grant, place } = yield* groundOf(origin)
  return decided(rules, { agent: origin.agent, place, ...(yield* subjectOf(grant)) })
})

/** The path behind all links, of as many names as there are. */
export const real = (path: string): string => PatternHeads.follower()(path)
