/**
 * A walkthrough: an explanation in steps, each of which may name a place in a file. It comes in `_meta` of a tool call, which also says the
 * same in plain text. Who knows nothing of walkthroughs shows that.
 */
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"

/** Bounds of a walkthrough. `characters` counts all texts of all steps. */
export const most = { steps: 40, title: 200, text: 4000, path: 1000, characters: 24_000, line: 10_000_000 } as const

const Line = Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: most.line }))

export const WalkthroughStep = Schema.Struct({
  title: Schema.String.check(Schema.isMaxLength(most.title)),
  /** Markdown. */
  text: Schema.optionalKey(Schema.String.check(Schema.isMaxLength(most.text))),
  /** A file, as it was named: absolute, or from the session's folder. It may lead anywhere. */
  path: Schema.optionalKey(Schema.String.check(Schema.isMaxLength(most.path))),
  /** From 1. */
  firstLine: Schema.optionalKey(Line),
  lastLine: Schema.optionalKey(Line)
})
export type WalkthroughStep = typeof WalkthroughStep.Type

export const Walkthrough = Schema.Struct({
  title: Schema.String.check(Schema.isMaxLength(most.title)),
  steps: Schema.NonEmptyArray(WalkthroughStep).check(Schema.isMaxLength(most.steps))
})
export type Walkthrough = typeof Walkthrough.Type

/** The member of a tool call's `_meta` that holds it. */
export const metaKey = "signalbox/walkthrough"

const decode = Schema.decodeUnknownOption(Walkthrough)

/** The characters of all texts of all steps. */
export const charactersOf = (steps: ReadonlyArray<{ readonly text?: string | undefined }>): number =>
  steps.reduce((sum, { text = "" }) => sum + text.length, 0)

/** The walkthrough in `_meta` of a tool call. Undefined if there is none, or one that is malformed or too large. */
export const inMeta = (meta: { readonly [name: string]: unknown } | null | undefined): Walkthrough | undefined => {
  const said = meta?.[metaKey]
  const read = said === undefined ? undefined : Option.getOrUndefined(decode(said))
  return read !== undefined && charactersOf(read.steps) > most.characters ? undefined : read
}

/** The place of a step, as people write it: `src/main.ts:10-20`. Undefined if it names no file. */
export const placeOf = ({ firstLine, lastLine, path }: WalkthroughStep): string | undefined => {
  if (path === undefined) return undefined
  if (firstLine === undefined) return path
  return lastLine === undefined || lastLine === firstLine ? `${path}:${firstLine}` : `${path}:${firstLine}-${lastLine}`
}

/** The walkthrough as text for clients that only show text. */
export const textOf = ({ steps }: Walkthrough): string =>
  steps
    .map((step, index) => {
      const place = placeOf(step)
      return [
        `${index + 1}. ${step.title}${place === undefined ? "" : ` (${place})`}`,
        ...(step.text === undefined ? [] : [step.text])
      ].join("\n\n")
    })
    .join("\n\n")
