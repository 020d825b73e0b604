/** What a faulty proxy does wrong, as its arguments say it. */

/** The faults, each with what happens. `N` counts the requests and notifications that reach the proxy; its initialization is the first. */
const faults = {
  "answer-early": "answers its initialization and never initializes its successor",
  "change-version": "answers its initialization with a version one higher than its successor's",
  die: "exits with code 9 at message N",
  stall: "reads no more from message N on",
  reorder: "lets each second notification overtake the one before it",
  mute: "reads all and never answers",
  flood: "sends notifications to the client without an end, from message N on",
  "wrap-scalar": "passes each request on with a scalar for its parameters",
  exit: "exits at once with code 3",
  garbage: "prints lines that are no messages, before each message"
} as const

export interface Fault {
  readonly kind: keyof typeof faults
  /** The message at which it begins. */
  readonly at: number
}

const isKind = (word: string | undefined): word is Fault["kind"] => word !== undefined && Object.hasOwn(faults, word)

/** Reads `FAULT [N]`; undefined if that is not what the words say. */
export const of = ([kind, at = "1", ...rest]: ReadonlyArray<string>): Fault | undefined =>
  isKind(kind) && /^[1-9]\d{0,8}$/.test(at) && rest.length === 0 ? { kind, at: Number(at) } : undefined

/** How it is called, for standard error. */
export const usage = `faulty FAULT [N]\n${Object.entries(faults)
  .map(([kind, words]) => `  ${kind}: ${words}`)
  .join("\n")}\n`
