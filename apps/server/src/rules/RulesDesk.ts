/** What pages see of the rules, and what they change: the person's own file, and trust in the files of projects. */
import type { Judgement, RuleRef } from "@signalbox/contracts/Judgement"
import { Refused } from "@signalbox/contracts/Refused"
import type { Rule } from "@signalbox/contracts/Rule"
import type { AddedRule, CommandToExplain, NewRule, RulePlace, RulesReport } from "@signalbox/contracts/Rules"
import * as Judgements from "@signalbox/permission/rules/Judgements"
import { refOf } from "@signalbox/permission/rules/RuleNaming"
import * as Clock from "effect/Clock"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Semaphore from "effect/Semaphore"
import * as Stream from "effect/Stream"
import { dirname } from "node:path"
import * as Containment from "../workspace/Containment.ts"
import * as Judging from "./Judging.ts"
import { usedRulesIn } from "../base/StateDirectory.ts"
import * as RuleUses from "./RuleUses.ts"
import * as RulesBytes from "./RulesBytes.ts"
import * as RulesChange from "./RulesChange.ts"
import * as RulesFiles from "./RulesFiles.ts"
import { RulesInForce } from "./RulesInForce.ts"
import * as RulesPlace from "./RulesPlace.ts"
import * as RulesProblem from "./RulesProblem.ts"
import * as RulesReporting from "./RulesReporting.ts"
import * as RulesSchema from "./RulesSchema.ts"
import * as SessionJudge from "./SessionJudge.ts"
import * as TrustedProjects from "./TrustedProjects.ts"

export class RulesDesk extends Context.Service<
  RulesDesk,
  {
    /** The files that count in some folders: now, and after every change. */
    readonly changes: (folders: ReadonlyArray<string>) => Stream.Stream<RulesReport>
    readonly add: (rule: NewRule) => Effect.Effect<AddedRule, Refused>
    /** Refuses if the rule does not stand where the caller saw it. */
    readonly remove: (rule: RuleRef) => Effect.Effect<void, Refused>
    /** Refuses if the file is not what the caller saw. */
    readonly trust: (path: string, hash: string) => Effect.Effect<void, Refused>
    readonly untrust: (path: string) => Effect.Effect<void, Refused>
    readonly explain: (command: CommandToExplain) => Effect.Effect<Judgement>
  }
>()("@signalbox/server/rules/RulesDesk") {}

/** Files are looked at so often while a page shows them. A folder that does not exist yet can't be watched. */
const interval = "2 seconds"

export interface Options {
  /** Absolute. */
  readonly stateFolder: string
}

const make = Effect.fnUntraced(function* ({ stateFolder }: Options) {
  const inForce = yield* RulesInForce
  const writing = yield* Semaphore.make(1)
  const own = RulesPlace.ofPerson(stateFolder)

  /** One folder of each project is enough: the same files count in all of them. */
  const oneFolderEach = (folders: ReadonlyArray<string>) =>
    Effect.map(
      Effect.forEach(folders, (folder) =>
        Effect.map(
          Effect.promise(() => RulesPlace.around(folder)),
          (place) => [place?.path ?? "", folder] as const
        )
      ),
      (found) => [...new Map(found).values()]
    )

  const look = Effect.fnUntraced(function* (folders: ReadonlyArray<string>) {
    const looks = yield* Effect.forEach(
      yield* oneFolderEach(folders.length === 0 ? [stateFolder] : folders),
      (folder) => inForce.in(folder)
    )
    const files = new Map(looks.flatMap(({ files }) => files.map((file) => [file.path, file] as const)))
    const rules = looks.flatMap(({ rules }) => rules)
    const now = yield* Clock.currentTimeMillis
    const used = yield* RuleUses.used(
      usedRulesIn(stateFolder),
      [...files.values()].flatMap((file) => file.rules)
    )
    return { files: [...files.values()], rules, used, now }
  })

  type Look = Effect.Success<ReturnType<typeof look>>

  const reportOf = ({ files, now, rules, used }: Look): RulesReport => ({
    files: files.map((file) => {
      const kept = new Map(rules.filter((rule) => rule.file === file.path).map((rule) => [rule.number, rule]))
      return RulesReporting.of(file, [...kept.values()], used, now)
    })
  })

  const change = <A>(effect: Effect.Effect<A, Refused>): Effect.Effect<A, Refused> =>
    effect.pipe(Effect.tap(inForce.changed), writing.withPermits(1), Effect.uninterruptible)

  return RulesDesk.of({
    changes: (folders) =>
      Stream.merge(Stream.tick(interval), inForce.changes).pipe(
        Stream.mapEffect(() => look(folders)),
        Stream.changesWith((one, other) => keyOf(one) === keyOf(other)),
        Stream.map(reportOf)
      ),
    add: ({ place, rule }) =>
      change(
        Effect.gen(function* () {
          const placed = place === undefined ? rule : yield* Effect.promise(() => at(place, rule))
          const file = yield* RulesChange.open(own, stateFolder)
          const added = yield* RulesChange.add(file, placed, stateFolder, RulesSchema.address())
          return { ref: refOf(added.rule), warnings: added.warnings.map(({ message }) => message) }
        })
      ),
    remove: (ref) =>
      change(
        Effect.gen(function* () {
          const file = yield* RulesChange.open(own, stateFolder)
          const rule = file.rules.find((one) => one.line === ref.line && refOf(one).id === ref.id)
          if (rule === undefined || ref.source !== "user" || ref.file !== file.path)
            return yield* RulesChange.refused(
              "The rule was not removed.",
              `It no longer stands in line ${ref.line} of ${file.path}, so the file has changed since you looked at it.`,
              "Look at the rules, then remove it again"
            )
          yield* RulesChange.remove(file, rule, stateFolder)
        })
      ),
    trust: (path, hash) => change(trusted(stateFolder, path, hash)),
    untrust: (path) => change(Effect.mapError(TrustedProjects.untrust(stateFolder, path), unnoted)),
    explain: Effect.fn("RulesDesk.explain")(function* ({ agent, command, cwd, threadId }) {
      const look = yield* inForce.in(cwd)
      const origin = { agent, cwd, own: [stateFolder], ...(threadId !== undefined && { thread: threadId }) }
      const decision = SessionJudge.inSight(yield* Judging.command(look.rules, origin, command), look)
      return Judgements.of(decision, { folder: cwd, roots: yield* Containment.pin([cwd]) })
    })
  })
})

/** Changes with all that a report shows, and each minute: the time of a rule may be over. */
const keyOf = ({
  files,
  now,
  rules,
  used
}: {
  readonly files: ReadonlyArray<RulesFiles.RulesFile>
  readonly now: number
  readonly rules: ReadonlyArray<unknown>
  readonly used: ReadonlySet<unknown>
}): string =>
  JSON.stringify([
    Math.floor(now / 60_000),
    rules.length,
    used.size,
    files.map(({ bytes, path, refusal, state, trust }) => [path, state, bytes?.hash, trust, refusal])
  ])

/** The rule with the place as its scope. Links of a folder are followed, since rules compare places without links. */
const at = async (place: RulePlace, given: Rule): Promise<Rule> => {
  const { scope: _scope, ...rule } = given
  switch (place.type) {
    case "always":
      return rule
    case "thread":
      return { ...rule, scope: { thread: place.threadId } }
    case "folder":
      return { ...rule, scope: { workspace: (await RulesPlace.inProject(place.folder)).folder ?? place.folder } }
  }
}

const trusted = Effect.fnUntraced(function* (stateFolder: string, path: string, hash: string) {
  const place = yield* Effect.promise(() => RulesPlace.inProject(dirname(dirname(path))))
  if (place.path !== path)
    return yield* RulesChange.refused(
      "The project was not trusted.",
      `${path} is not where a project has its rules.`,
      "Look at the rules, then choose again"
    )
  const { bytes, state, ...file } = yield* RulesFiles.read(place, stateFolder)
  const problem = state === "faulty" || state === "unreadable" ? RulesProblem.of({ ...file, state }) : undefined
  if (problem !== undefined) return yield* new Refused({ problem })
  if (bytes?.hash !== hash)
    return yield* RulesChange.refused(
      "The project was not trusted.",
      `${path} has changed since you looked at it.`,
      "Look at its rules as they are now, then trust them"
    )
  yield* Effect.mapError(TrustedProjects.trust(stateFolder, path, hash), unnoted)
})

const unnoted = ({ message, path }: RulesBytes.RulesRefused): Refused =>
  RulesChange.refused(
    "The trust can't be noted.",
    `${path}: ${message}.`,
    `See to it that ${path} belongs to you and can be written`
  )

export const layer = (options: Options) => Layer.effect(RulesDesk, make(options))
