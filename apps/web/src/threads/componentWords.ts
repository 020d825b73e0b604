/** Components of one thread, and what its chain is called. Pure. */
import type { ComponentInfo, PartTraffic, SessionChain } from "@signalbox/contracts/SessionChain"
import type { ThreadView } from "@signalbox/contracts/ThreadView"
import { fineDuration } from "../words/time.ts"

/** The names that a thread's sessions begin with: what was chosen for it, else what the settings switch on. */
export const chosenOf = (
  { components }: Pick<ThreadView, "components">,
  known: ReadonlyArray<ComponentInfo>
): ReadonlyArray<string> => components ?? known.filter(({ enabled }) => enabled).map(({ name }) => name)

/** The components in the order in which they are shown: the chosen ones first, as they are in the chain. */
export const listed = (
  chosen: ReadonlyArray<string>,
  known: ReadonlyArray<ComponentInfo>
): ReadonlyArray<ComponentInfo> => [
  ...chosen.flatMap((name) => known.find((one) => one.name === name) ?? []),
  ...known.filter(({ name }) => !chosen.includes(name))
]

/** With one more at the end, or one less. */
export const withChoice = (chosen: ReadonlyArray<string>, name: string, on: boolean): ReadonlyArray<string> =>
  on ? [...chosen.filter((other) => other !== name), name] : chosen.filter((other) => other !== name)

/** With one of them a place nearer to people (`-1`), or nearer to the agent (`1`). */
export const moved = (chosen: ReadonlyArray<string>, name: string, by: -1 | 1): ReadonlyArray<string> => {
  const at = chosen.indexOf(name)
  const other = chosen[at + by]
  if (at === -1 || other === undefined) return chosen
  return chosen.with(at, other).with(at + by, name)
}

/** Says which components the running session has, where others are chosen by now. */
export const lateWords = (
  { provider, session }: Pick<ThreadView, "provider" | "session">,
  chosen: ReadonlyArray<string>
): string | undefined => {
  if (session.state !== "ready") return undefined
  const has = (session.chain ?? []).flatMap(({ name, role }) => (role === "component" ? [name] : []))
  if (has.length === chosen.length && has.every((name, at) => name === chosen[at])) return undefined
  const now = has.length === 0 ? "none" : has.join(", ")
  return `The session that runs has ${now}. ${provider.name} gets what is chosen here from its next start on.`
}

/** What a chain adds to a message, with the median of each part; undefined while none is known. */
export const addedWords = (traffic: ReadonlyArray<PartTraffic> | undefined): string | undefined => {
  const known = (traffic ?? []).flatMap(({ heldMs }) => heldMs ?? [])
  return known.length === 0 ? undefined : `adds ${fineDuration(known.reduce((sum, ms) => sum + ms, 0))}`
}

/** What a part is that is no program of people, in a line below its name. */
export const aboutPart = ({ because, role, summary }: SessionChain[number]): string => {
  if (role === "agent") return "Agent"
  if (because !== undefined) return `Added because ${because}.`
  return summary === undefined ? "Component" : `${summary}.`
}

/** The component whose end was the end of the latest session, if one was. */
export const lostOf = ({ items }: Pick<ThreadView, "items">): string | undefined => {
  const last = items.findLast((item) => item.type === "problem" || item.type === "session")
  return last?.problem?.nextSteps.find(({ action }) => action === "start-without")?.component
}
