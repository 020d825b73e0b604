/** The latest answers of people to commands, for each agent and folder, as long as the server runs. Rules are offered by them. */
import * as RuleOffer from "@signalbox/permission/rules/RuleOffer"
import * as Context from "effect/Context"

export interface LikeAnswers {
  readonly add: (agent: string, folder: string, given: RuleOffer.Given) => void
  /** A rule for a command, after enough like answers. */
  readonly offer: (agent: string, folder: string, words: RuleOffer.Words) => RuleOffer.Offer | undefined
}

/** Most answers of one agent in one folder that are kept, and most such pairs. */
const mostAnswers = 100
const mostPlaces = 200

const make = (): LikeAnswers => {
  const places = new Map<string, Array<RuleOffer.Given>>()
  const keyOf = (agent: string, folder: string) => `${agent}\n${folder}`
  return {
    add: (agent, folder, given) => {
      const key = keyOf(agent, folder)
      const before = places.get(key) ?? []
      // The place that was used last comes last.
      places.delete(key)
      places.set(key, [...before.slice(1 - mostAnswers), given])
      const [oldest] = places.keys()
      if (places.size > mostPlaces && oldest !== undefined) places.delete(oldest)
    },
    offer: (agent, folder, words) => RuleOffer.of(agent, words, places.get(keyOf(agent, folder)) ?? [])
  }
}

export const LikeAnswers = Context.Reference<LikeAnswers>("@signalbox/server/rules/LikeAnswers", { defaultValue: make })
