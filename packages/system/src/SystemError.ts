/** Errors of the operating system and of libraries, in words. */
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"

/** A refusal by the system, in its own words. */
export class SystemRefused extends Schema.TaggedError<SystemRefused>()("SystemRefused", {
  message: Schema.String,
  /** The system's code, such as `ENOENT`. */
  code: Schema.optionalKey(Schema.String)
}) {}

/** The system's code, such as `ENOENT`; undefined if there is none. */
export const codeOf = (error: unknown): string | undefined =>
  error instanceof Error && "code" in error && typeof error.code === "string" ? error.code : undefined

/** The message of anything that was thrown. */
export const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error))

export const systemRefused = (error: unknown): SystemRefused => {
  const code = codeOf(error)
  return new SystemRefused({ message: messageOf(error), ...(code !== undefined && { code }) })
}

/** Runs something that the system may refuse. The refusal becomes a typed error. */
export const attempt = <A>(what: () => A): Effect.Effect<A, SystemRefused> =>
  Effect.try({ try: what, catch: systemRefused })

/** Whether the error says that nothing exists at a path. */
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
  EISDIR: "it is a folder",
  ENOENT: "it does not exist",
  ENOTDIR: "a folder on the way is none",
  ELOOP: "its links go round in a circle",
  ENAMETOOLONG: "the path is too long"
}

/**
 * The reason of a refusal, to stand behind a colon: plain words for known codes, else the code or the system's words.
 */
export const reasonOf = (error: unknown): string => {
  const code = codeOf(error)
  return code === undefined ? messageOf(error) : (reasons[code] ?? code)
}
