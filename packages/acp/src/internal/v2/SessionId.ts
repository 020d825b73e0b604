/** The session that a message or a result is about. */
import * as Predicate from "effect/Predicate"

/** Returns its id, or an empty text if it is about none. */
export const sessionIdOf = (params: unknown): string =>
  Predicate.isObject(params) && typeof params["sessionId"] === "string" ? params["sessionId"] : ""
