/** The words that start the reference agent, and what it advertises by them. */
import type { Capabilities } from "@signalbox/acp/NesSchema"
import type { PositionEncoding } from "@signalbox/acp/Positions"
import { isMisbehaviour, type Misbehaviour, misbehaviours } from "./Misbehaviour.ts"

const kinds = ["jump", "rename", "searchAndReplace"] as const
const events = ["didOpen", "didClose", "didSave", "didFocus"] as const
const context = ["recentFiles", "relatedSnippets", "editHistory", "userActions", "openFiles", "diagnostics"] as const
/** What `--without` may name. */
const parts: ReadonlyArray<string> = [...kinds, ...events, ...context, "configOptions"]

const encodings: ReadonlyArray<PositionEncoding> = ["utf-16", "utf-8", "utf-32"]
const syncs = ["incremental", "full", "none"] as const

export interface Options {
  /** The encodings that are taken. The client's order decides. */
  readonly encodings: ReadonlyArray<PositionEncoding>
  readonly sync: (typeof syncs)[number]
  /** What is left out of the kinds, the events, the context and the answers. */
  readonly without: ReadonlySet<string>
  readonly misbehaviours: ReadonlySet<Misbehaviour>
  /** Milliseconds before a slow answer. */
  readonly delay: number
}

export const help = `signalbox-nes: suggests next edits over ACP, without a model

Usage: signalbox-nes [OPTION...]
Options may stand in SIGNALBOX_NES as well, separated by spaces.

  --encoding NAME[,NAME]   the encodings of positions that it takes: ${encodings.join(", ")} (default: all)
  --sync KIND              how it wants changes: ${syncs.join(", ")} (default: incremental)
  --without NAME[,NAME]    what it does without: ${parts.slice(0, 7).join(", ")},
                           ${parts.slice(7).join(", ")}
  --misbehave NAME[,NAME]  what it does wrong, see below
  --delay MS               the delay of slow answers (default: 5000)
  --help

Misbehaviours:
${Object.entries(misbehaviours)
  .map(([name, words]) => `  ${name.padEnd(20)} ${words}\n`)
  .join("")}`

/** Names separated by commas, or the reason why they are none. */
const namesIn = <A extends string>(
  option: string,
  value: string,
  isKnown: (name: string) => name is A
): ReadonlyArray<A> | { readonly problem: string } => {
  const names: Array<A> = []
  for (const name of value.split(",")) {
    if (!isKnown(name)) return { problem: `${option} knows no ${JSON.stringify(name)}` }
    names.push(name)
  }
  return names
}

const isEncoding = (name: string): name is PositionEncoding => encodings.some((encoding) => encoding === name)
const isPart = (name: string): name is string => parts.includes(name)

type Reading = Options | { readonly problem: string }

/** The options with one more. */
const withOption = (options: Options, option: string, value: string): Reading => {
  switch (option) {
    case "--encoding": {
      const names = namesIn(option, value, isEncoding)
      return "problem" in names ? names : { ...options, encodings: names }
    }
    case "--without": {
      const names = namesIn(option, value, isPart)
      return "problem" in names ? names : { ...options, without: new Set([...options.without, ...names]) }
    }
    case "--misbehave": {
      const names = namesIn(option, value, isMisbehaviour)
      return "problem" in names ? names : { ...options, misbehaviours: new Set([...options.misbehaviours, ...names]) }
    }
    case "--sync": {
      const sync = syncs.find((each) => each === value)
      return sync ? { ...options, sync } : { problem: `--sync knows no ${JSON.stringify(value)}` }
    }
    case "--delay":
      return /^[0-9]{1,7}$/.test(value)
        ? { ...options, delay: Number(value) }
        : { problem: "--delay wants milliseconds" }
    default:
      return { problem: `There is no option ${JSON.stringify(option)}` }
  }
}

/** Reads the words behind the program's name. */
export const read = (words: ReadonlyArray<string>): Reading => {
  let options: Reading = { encodings, sync: "incremental", without: new Set(), misbehaviours: new Set(), delay: 5000 }
  for (let index = 0; index < words.length && !("problem" in options); index += 2) {
    const [option = "", value] = words.slice(index, index + 2)
    options = value === undefined ? { problem: `${option} wants a value` } : withOption(options, option, value)
  }
  return options
}

/** The kinds that are suggested where the client can show them. */
export const isMade = ({ without }: Options, kind: string): boolean => !without.has(kind)

/** The events and the context that are asked for. */
export const wantedBy = ({ sync, without }: Options): Capabilities => {
  const unless = <A>(name: string, value: A) => (without.has(name) ? {} : { [name]: value })
  return {
    events: {
      document: {
        ...unless("didOpen", {}),
        ...(sync !== "none" && { didChange: { syncKind: sync } }),
        ...unless("didClose", {}),
        ...unless("didSave", {}),
        ...unless("didFocus", {})
      }
    },
    context: {
      ...unless("recentFiles", { maxCount: 10 }),
      ...unless("relatedSnippets", {}),
      ...unless("editHistory", { maxCount: 6 }),
      ...unless("userActions", { maxCount: 16 }),
      ...unless("openFiles", {}),
      ...unless("diagnostics", {})
    }
  }
}
