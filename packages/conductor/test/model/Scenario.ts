/** A chain, what is said in it, and who dies: plain data, so that a failing case is made small and printed. */
import * as Schema from "effect/Schema"

/**
 * What a proxy does with what it intercepts.
 *
 * - `pass`: intercepts nothing.
 * - `change`: adds its name to parameters and results.
 * - `drop`: keeps each third notification.
 * - `answer`: answers each third request itself.
 */
const Habit = Schema.Literals(["pass", "change", "drop", "answer"])
export type Habit = typeof Habit.Type

/** A proxy, or a chain in one component. */
const Inner = Schema.Union([Habit, Schema.Struct({ nested: Schema.Array(Habit).check(Schema.isMaxLength(2)) })])
const Member = Schema.Union([Habit, Schema.Struct({ nested: Schema.Array(Inner).check(Schema.isMaxLength(3)) })])
export type Member = Habit | { readonly nested: ReadonlyArray<Member> }

const upTo = (maximum: number) => Schema.Int.check(Schema.isBetween({ minimum: 0, maximum }))
const By = Schema.Literals(["client", "agent"])
export type By = typeof By.Type

/**
 * One thing that happens. `which` counts what is open, and starts again at its end.
 *
 * - `Send`: an end sends a request or a notification. What is `touched` has a method that proxies intercept.
 * - `Answer`: an end answers a request that it has got.
 * - `Cancel`: an end cancels a request that it has sent.
 * - `Run`: so many tasks run, before anything else happens.
 * - `Settle`: all tasks run.
 */
const Send = Schema.TaggedStruct("Send", {
  by: By,
  isRequest: Schema.Boolean,
  isTouched: Schema.Boolean,
  size: upTo(12)
})
const Step = Schema.Union([
  // Most of what happens is that somebody speaks.
  Send,
  Send,
  Send,
  Schema.TaggedStruct("Answer", { by: By, which: upTo(9), isError: Schema.Boolean, size: upTo(12) }),
  Schema.TaggedStruct("Cancel", { by: By, which: upTo(9) }),
  Schema.TaggedStruct("Run", { tasks: upTo(30) }),
  Schema.TaggedStruct("Settle", {})
])
export type Step = typeof Step.Type

/** Who dies, before which step (counted round the steps), and how: it ends, it throws, or it lives on and reads no more. */
const Death = Schema.Struct({
  who: upTo(10),
  before: upTo(40),
  how: Schema.Literals(["end", "throw", "stall"])
})

export const Scenario = Schema.Struct({
  members: Schema.Array(Member).check(Schema.isMaxLength(6)),
  steps: Schema.Array(Step).check(Schema.isMaxLength(40)),
  death: Schema.NullOr(Death),
  /** Whether the steps begin before the chain has answered `initialize`. */
  isEager: Schema.Boolean,
  /** In which order tasks run that are ready at the same time; 0 is the order in which they became ready. */
  order: upTo(1000)
})
export type Scenario = typeof Scenario.Type

/** A proxy of the chain. `within` names the members that it is part of, outermost first, and itself last. */
export interface Leaf {
  readonly name: string
  readonly habit: Habit
  readonly within: ReadonlyArray<string>
}

/** The name of a member at a place. */
export const nameOf = (member: Member, path: string): string => `${typeof member === "string" ? member : "nest"}${path}`

/** The proxies of the chain, nearest to the client first. */
export const leavesOf = (
  members: ReadonlyArray<Member>,
  path = "",
  within: ReadonlyArray<string> = []
): ReadonlyArray<Leaf> =>
  members.flatMap((member, at) => {
    const name = nameOf(member, `${path}.${at}`)
    return typeof member === "string"
      ? [{ name, habit: member, within: [...within, name] }]
      : leavesOf(member.nested, `${path}.${at}`, [...within, name])
  })
