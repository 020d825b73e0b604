/** What the operating system or a library says where it does not do something. */
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"

/** A refusal by the system, in its own words. */
export class SystemRefused extends Schema.TaggedError<SystemRefused>()("SystemRefused", {
  message: Schema.String,
  /** The system's code, such as `ENOENT`. */
  code: Schema.optionalKey(Schema.String)
}) {}

/** The system's code, such as `ENOENT`; undefined where there is none. */
export const codeOf = (error: unknown): string | undefined =>
  error instanceof Error && "code" in error && typeof error.code === "string" ? error.code : undefined

/** What was said, whatever was thrown. */
export const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error))

export const systemRefused = (error: unknown): SystemRefused => {
  const code = codeOf(error)
  return new SystemRefused({ message: messageOf(error), ...(code !== undefined && { code }) })
}

/** Does something that the system may refuse. */
export const attempt = <A>(what: () => A): Effect.Effect<A, SystemRefused> =>
  Effect.try({ try: what, catch: systemRefused })

/** Whether the system says that there is nothing at a path. */
export const isMissing = (error: unknown): boolean => {
  const code = codeOf(error)
  return code === "ENOENT" || code === "ENOTDIR"
}

const reasons: Readonly<Record<string, string>> = {
  EACCES: "this user may not do that",
  EPERM: "this user may not do that",
  EROFS: "it is on a disk that can't be written to",
  ENOSPC: "the disk is full",
  EDQUOT: "the disk is full",
  ELOOP: "its links go round in a circle",
  ENAMETOOLONG: "the path is too long"
}

/** Why the system refused, to follow a colon in a sentence: in plain words, or else by its code or its own words. */
export const reasonOf = (error: unknown): string => {
  const code = codeOf(error)
  return code === undefined ? messageOf(error) : (reasons[code] ?? code)
}
