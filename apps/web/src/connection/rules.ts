/** Rules of the server, watched and changed from the page. */
import type { Judgement, RuleRef } from "@signalbox/contracts/Judgement"
import type { PermissionProfile, ProviderId } from "@signalbox/contracts/Provider"
import type { RuleReplay } from "@signalbox/contracts/Audit"
import type { Rule } from "@signalbox/contracts/Rule"
import type { AddedRule, CommandToExplain, NewRule, RulesReport } from "@signalbox/contracts/Rules"
import * as Effect from "effect/Effect"
import { following, once, persistently } from "./calls.ts"
import { reportDefect } from "./link.ts"

/** Watches the rules files that count in some folders, until the signal ends it. */
export const followRules = (
  folders: ReadonlyArray<string>,
  onReport: (report: RulesReport) => void,
  signal: AbortSignal
): void => {
  const follow = following(
    (client) => client.watchRules({ folders }),
    (reports) => {
      const latest = reports.at(-1)
      if (latest) onReport(latest)
    }
  )
  Effect.runFork(Effect.catchCause(follow, reportDefect), { signal })
}

/** Adds a rule to the person's own file. Rejects with `Refused`. */
export const addRule = (rule: NewRule): Promise<AddedRule> => Effect.runPromise(once((client) => client.addRule(rule)))

/** What a rule would have made of the recorded requests since a moment. Rejects with `Refused`. */
export const replayRule = (rule: Rule, since: number, signal: AbortSignal): Promise<RuleReplay> =>
  Effect.runPromise(
    persistently((client) => client.replayRule({ rule: JSON.stringify(rule), since })),
    { signal }
  )

/** Takes a rule out of the person's own file. Rejects with `Refused`. */
export const removeRule = (rule: RuleRef): Promise<void> =>
  Effect.runPromise(once((client) => client.removeRule({ rule })))

/** Puts the rules of a project in force, as the file was seen. Rejects with `Refused`. */
export const trustProject = (path: string, hash: string): Promise<void> =>
  Effect.runPromise(once((client) => client.trustProject({ path, hash })))

export const untrustProject = (path: string): Promise<void> =>
  Effect.runPromise(once((client) => client.untrustProject({ path })))

/** Judges a command line, and runs nothing. */
export const explainCommand = (command: CommandToExplain, signal: AbortSignal): Promise<Judgement> =>
  Effect.runPromise(
    persistently((client) => client.explainCommand(command)),
    { signal }
  )

/** Chooses who answers the requests of an agent, in its settings. Rejects with `Refused`. */
export const chooseProfile = (providerId: ProviderId, profile: PermissionProfile): Promise<void> =>
  Effect.runPromise(once((client) => client.chooseProfile({ providerId, profile })))
