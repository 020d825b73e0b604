/** The settings of a session, as config options: which kinds are suggested, and how many at once. */
import type { SessionConfigOption } from "@signalbox/acp/AcpSchema"
import type { Kind } from "./mind/Scene.ts"

const scopes = {
  all: { name: "All kinds", kinds: ["edit", "jump", "rename", "searchAndReplace"] },
  edits: { name: "Edits only", kinds: ["edit"] },
  line: { name: "The rest of the line only", kinds: ["edit"] }
} as const satisfies Record<string, { readonly name: string; readonly kinds: ReadonlyArray<Kind> }>

export type Scope = keyof typeof scopes

/** The numbers of suggestions while a person writes. On request there are more. */
const counts = ["1", "3", "8"] as const

export interface Settings {
  readonly scope: Scope
  readonly count: (typeof counts)[number]
}

export const initial: Settings = { scope: "all", count: "3" }

export const scopeNamed = (name: string): Scope | undefined =>
  name === "all" || name === "edits" || name === "line" ? name : undefined

export const kindsOf = ({ scope }: Settings): ReadonlyArray<Kind> => scopes[scope].kinds

/** The settings with one changed. Undefined if there is no such option or value. */
export const changed = (settings: Settings, id: string, value: unknown): Settings | undefined => {
  if (id === "scope" && typeof value === "string") {
    const scope = scopeNamed(value)
    return scope && { ...settings, scope }
  }
  const count = id === "count" ? counts.find((each) => each === value) : undefined
  return count && { ...settings, count }
}

export const configOptions = ({ count, scope }: Settings): ReadonlyArray<SessionConfigOption> => [
  {
    id: "scope",
    name: "Suggestions",
    description: "Which kinds of suggestions are made",
    type: "select",
    currentValue: scope,
    options: Object.entries(scopes).map(([value, { name }]) => ({ value, name }))
  },
  {
    id: "count",
    name: "At once",
    description: "How many suggestions come at once while you write",
    type: "select",
    currentValue: count,
    options: counts.map((value) => ({ value, name: value }))
  }
]
