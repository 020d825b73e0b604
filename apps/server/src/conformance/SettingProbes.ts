/**
 * The settings that an agent offers (ACP v1, session config options, modes). Nothing is changed: each setting gets its
 * current value.
 */
import * as Effect from "effect/Effect"
import { stripped } from "../base/Plain.ts"
import type { OpenSession } from "./OpenSession.ts"
import { type Json, listIn, objectIn } from "./Messages.ts"
import {
  broken,
  type Finding,
  holds,
  type Probe,
  quirk,
  saying,
  showing,
  tookTooLong,
  untried,
  withSession,
  words
} from "./Probe.ts"
import { wordOf } from "./WordOf.ts"

const optionsOf = ({ result }: Pick<OpenSession, "result">): ReadonlyArray<Json> => listIn(result, "configOptions")
const noSettings = untried("it has no settings")
const noSuchValue = "_signalbox_no_such_value"

/** The values of a select, also those in groups. */
const valuesOf = (option: Json): ReadonlyArray<Json> =>
  listIn(option, "options").flatMap((one) => (Array.isArray(one["options"]) ? listIn(one, "options") : [one]))

/** Whether the settings of a session are what settings have to be. */
export const shape = (session: Pick<OpenSession, "result">): Finding => {
  const options = optionsOf(session)
  if (options.length === 0) return holds("none")
  const ids = options.map(({ id }) => wordOf(id))
  const seen = ids.join(", ")
  if (new Set(ids).size < ids.length) return broken(seen, "Two settings have the same id.")
  const lost = options.find(
    (option) => option["type"] === "select" && !valuesOf(option).some(({ value }) => value === option["currentValue"])
  )
  return lost === undefined
    ? holds(seen)
    : quirk(seen, `The value of ${wordOf(lost["id"])} is none of those that it can have.`)
}

/** Whether a name holds the code of an icon, or invisible characters. */
const isUnreadable = (name: string): boolean => /:icon-[\w-]+:/.test(name) || stripped(name) !== name

const names = (session: OpenSession): Finding => {
  const options = optionsOf(session)
  if (options.length === 0) return noSettings
  const odd = options.flatMap((option) =>
    [option, ...valuesOf(option)].flatMap(({ name }) =>
      typeof name === "string" && isUnreadable(name) ? [wordOf(option["id"])] : []
    )
  )
  return odd.length === 0
    ? holds("readable")
    : quirk("not for people", `Names hold codes or invisible characters: ${[...new Set(odd)].join(", ")}.`)
}

const setting = ({ agent: { wire }, sessionId }: OpenSession, option: Json, value: unknown) =>
  wire.ask("session/set_config_option", {
    sessionId,
    configId: option["id"],
    ...(option["type"] === "boolean" && { type: "boolean" }),
    value
  })

const sameValues = Effect.fnUntraced(function* (session: OpenSession) {
  const options = optionsOf(session).filter(({ currentValue }) => currentValue !== undefined)
  if (options.length === 0) return noSettings
  for (const option of options) {
    const answer = yield* setting(session, option, option["currentValue"])
    const told = `${wordOf(option["id"])}: ${words(answer)}`
    if (answer.type === "silence") return tookTooLong(answer.waitedMs)
    if (answer.type !== "result") return saying(answer, broken(told, "It refuses the value that a setting has."))
    if (listIn(answer.result, "configOptions").length === 0) {
      return quirk(told, "The answer does not hold all settings as they are now.")
    }
  }
  return holds("taken")
})

const refusal = (what: string) =>
  showing((answer): Finding => {
    if (answer.type === "result") return quirk("taken", `It takes ${what} that it does not have.`)
    if (answer.type !== "error") return broken(words(answer), `It has to refuse ${what} that it does not have.`)
    return answer.code === -32602
      ? holds(words(answer))
      : quirk(words(answer), `The code for ${what} that it does not have is -32602.`)
  })

const unknownOption = (session: OpenSession) => {
  if (optionsOf(session).length === 0) return Effect.succeed(noSettings)
  const none = { id: "_signalbox_no_such_setting" }
  return Effect.map(setting(session, none, noSuchValue), refusal("a setting"))
}

const unknownValue = Effect.fnUntraced(function* (session: OpenSession) {
  const option = optionsOf(session).find(({ type }) => type === "select")
  if (option === undefined) return noSettings
  const answer = yield* setting(session, option, noSuchValue)
  if (answer.type === "result") yield* setting(session, option, option["currentValue"])
  return refusal("a value")(answer)
})

/** Probes the older methods for modes and models, from before config options. */
const legacy = (method: string, member: string, current: string, param: string) =>
  Effect.fnUntraced(function* ({ agent, result, sessionId }: OpenSession) {
    const value = objectIn(result, member)[current]
    if (typeof value !== "string") return untried("it has none")
    const answer = yield* agent.wire.ask(method, { sessionId, [param]: value })
    return showing((answer) =>
      answer.type === "result"
        ? holds("works")
        : broken(words(answer), `It reports ${member}, and refuses the one that it has.`)
    )(answer)
  })

const probe = (name: string, capability: string, look: Probe["look"]): Probe => ({
  probe: `settings/${name}`,
  area: "settings",
  capability,
  look
})

export const settingProbes: ReadonlyArray<Probe> = [
  probe(
    "options",
    "Settings",
    withSession((session) => Effect.succeed(shape(session)))
  ),
  probe(
    "names",
    "Their names",
    withSession((session) => Effect.succeed(names(session)))
  ),
  probe("same", "Set as they are", withSession(sameValues)),
  probe("unknown-setting", "Unknown setting", withSession(unknownOption)),
  probe("unknown-value", "Unknown value", withSession(unknownValue)),
  probe("mode", "Modes of old", withSession(legacy("session/set_mode", "modes", "currentModeId", "modeId"))),
  probe("model", "Models of old", withSession(legacy("session/set_model", "models", "currentModelId", "modelId")))
]
