/** One entry of Signalbox's log, without secrets. The log file holds it as JSON, and stderr in words. */
import * as Cause from "effect/Cause"
import type * as Logger from "effect/Logger"
import * as Option from "effect/Option"
import * as Predicate from "effect/Predicate"
import * as References from "effect/References"
import type * as Tracer from "effect/Tracer"
import * as Redaction from "@signalbox/redaction/Redaction"
import type { Secrets } from "@signalbox/redaction/Secrets"

export interface LogRecord {
  /** ISO 8601, UTC. */
  readonly time: string
  readonly level: "trace" | "debug" | "info" | "warn" | "error" | "fatal"
  /** The part of Signalbox that logged it, such as `ThreadActor`. */
  readonly category: string
  readonly message: string
  readonly threadId?: string
  /** Further facts of the entry. */
  readonly details?: Readonly<Record<string, unknown>>
  /** The failure with its stack. */
  readonly cause?: string
}

/** The category of entries without a known part. */
export const noCategory = "Signalbox"

/** The annotation that names the category. Without it, the category is the service of the innermost span. */
export const categoryAnnotation = "module"

export const of = (options: Logger.Options<unknown>): LogRecord => {
  const { cause, date, fiber, logLevel, message } = options
  const parts: ReadonlyArray<unknown> = Array.isArray(message) ? message : [message]
  const { [categoryAnnotation]: named, ...annotations } = fiber.getRef(References.CurrentLogAnnotations)
  const notes: Record<string, unknown> = { ...annotations }
  let said = ""
  for (const part of parts) {
    if (isNotes(part)) Object.assign(notes, part)
    else said = joined(said, part)
  }
  const failed = cause.reasons.length > 0
  if (failed) said = joined(said, cause)
  const span = fiber.cache.span
  const { threadId = attributeOf(span, "threadId"), ...details } = notes
  return {
    time: date.toISOString(),
    level: levels[logLevel],
    category: typeof named === "string" ? named : (serviceOf(span) ?? noCategory),
    message: said,
    ...(typeof threadId === "string" && { threadId }),
    ...(Object.keys(details).length > 0 && { details }),
    ...(failed && { cause: Cause.pretty(cause) })
  }
}

/** One line of JSON. */
export const toJson = (record: LogRecord, secrets?: Secrets): string => {
  const line = JSON.stringify(record)
  const safe = Redaction.message(record, line)
  return secrets === undefined ? safe : secrets.without(safe)
}

const levels: Readonly<Record<Logger.Options<unknown>["logLevel"], LogRecord["level"]>> = {
  All: "trace",
  Trace: "trace",
  Debug: "debug",
  Info: "info",
  Warn: "warn",
  Error: "error",
  Fatal: "fatal",
  None: "fatal"
}

/** Whether a part of a message is an object of facts, not a text. */
const isNotes = (part: unknown): part is Readonly<Record<string, unknown>> =>
  Predicate.isObject(part) && !Array.isArray(part) && Object.getPrototypeOf(part) === Object.prototype

/** Adds a part to a message. A failure stands behind a colon, unless a sentence ends before it. */
const joined = (said: string, part: unknown): string => {
  if (said === "") return words(part)
  const failure = Cause.isCause(part) || part instanceof Error
  return `${said}${failure && !/[.:!?]$/.test(said) ? ":" : ""} ${words(part)}`
}

const words = (part: unknown): string => {
  if (typeof part === "string") return part
  if (Cause.isCause(part)) return words(Cause.squash(part))
  if (part instanceof Error) return part.message
  return JSON.stringify(part) ?? String(part)
}

/** The service of a span: `ThreadActor` of `ThreadActor.handle`. */
const serviceOf = (span: Tracer.AnySpan | undefined): string | undefined =>
  span?._tag === "Span" ? span.name.split(".")[0] : undefined

/** An attribute of a span, or of the nearest enclosing span that has it. */
const attributeOf = (span: Tracer.AnySpan | undefined, name: string): unknown => {
  for (let around = span; around?._tag === "Span"; around = Option.getOrUndefined(around.parent)) {
    const value = around.attributes.get(name)
    if (value !== undefined) return value
  }
  return undefined
}
