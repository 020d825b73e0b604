/** What a client may do: four scopes, each of which includes those before it. */
import * as Schema from "effect/Schema"
import { Problem, sentencesOf } from "./Problem.ts"

/** The scopes, the narrowest first. */
export const clientScopes = ["view", "approve", "operate", "admin"] as const

/**
 * `view` reads threads. `approve` also answers requests and stops turns. `operate` also prompts agents and creates
 * threads. `admin` also deletes, installs, signs in, and changes rules, settings and clients.
 */
export const ClientScope = Schema.Literals(clientScopes)
export type ClientScope = typeof ClientScope.Type

/** Whether a client with the scope `has` may do what needs the scope `needs`. */
export const covers = (has: ClientScope, needs: ClientScope): boolean =>
  clientScopes.indexOf(has) >= clientScopes.indexOf(needs)

/** Something that a client may want to do, and the scope that it needs. */
export interface ScopeNeed {
  readonly needs: ClientScope
  /** What it does, after “may not”: “delete threads”. */
  readonly does: string
}

/** A call that was refused because the client has a narrower scope than it needs. Nothing was done. */
export class OutOfScope extends Schema.TaggedError<OutOfScope>()("OutOfScope", {
  needs: ClientScope,
  has: ClientScope,
  problem: Problem
}) {
  override get message(): string {
    return sentencesOf(this.problem)
  }
}

/** The client that a refusal names. `id` and `name` are missing for the holder of the server's own token. */
export interface ScopedClient {
  readonly id?: string | undefined
  readonly name?: string | undefined
  readonly scope: ClientScope
}

/** The refusal of what `need` describes, for a client. */
export const outOfScope = ({ does, needs }: ScopeNeed, { id, name, scope }: ScopedClient): OutOfScope =>
  new OutOfScope({
    needs,
    has: scope,
    problem: {
      code: "out-of-scope",
      title: `This client may not ${does}.`,
      cause: `That needs the scope ${needs}. This client${name === undefined ? "" : ` (${name})`} has the scope ${scope}.`,
      evidence: {},
      nextSteps: [
        {
          action: "run-command",
          label: "Change its scope on the server's machine, or among the clients of a page with the scope admin",
          command: `signalbox clients scope ${id ?? "ID"} ${needs}`
        }
      ]
    }
  })
