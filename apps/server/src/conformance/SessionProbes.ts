/** What an agent claims and does with existing sessions (ACP v1, session list, load, resume, close, delete). */
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import { randomUUID } from "node:crypto"
import { claimed, isUnknown, judged, reopening, trying } from "./Claims.ts"
import type { Examinee } from "./Examinee.ts"
import { type Greeted, type OpenSession, sessionOf } from "./OpenSession.ts"
import { keptProbes } from "./KeptProbes.ts"
import { ignored } from "./Aftermath.ts"
import { listed } from "./Listing.ts"
import {
  broken,
  type Finding,
  holds,
  noSession,
  type Probe,
  quirk,
  showing,
  untried,
  withAgent,
  withSession,
  words
} from "./Probe.ts"

const list = (session: OpenSession) =>
  Effect.map(listed(session.agent, {}), ({ answer, pages, sessions }): Finding => {
    const claim = claimed(session.agent, "session/list")
    if (answer === undefined) return quirk("works", "It has very many pages, or the list has no end.", claim)
    return judged(claim, answer, () =>
      sessions.some((one) => one["sessionId"] === session.sessionId)
        ? holds(pages === 1 ? "works, in one page" : `works, in ${pages} pages`)
        : quirk("works", "A session without a prompt is not in the list.")
    )
  })

const listOfFolder = (agent: Greeted, { folder }: Examinee): Effect.Effect<Finding> => {
  if (!claimed(agent, "session/list")) return Effect.succeed(untried("it lists none"))
  return Effect.map(listed(agent, { cwd: folder }), ({ answer, sessions }): Finding => {
    if (answer !== undefined && isUnknown(answer)) return untried("it lists none")
    const found = (): Finding =>
      sessions.every(({ cwd }) => cwd === folder)
        ? holds(sessions.length === 0 ? "none" : "only those")
        : quirk("others too", "It lists sessions of other folders.")
    if (answer === undefined) return found()
    return showing((answer) =>
      answer.type === "result" ? found() : broken(words(answer), "It refuses to list those of a folder.")
    )(answer)
  })
}

const unknownSession = (agent: Greeted, { folder }: Examinee): Effect.Effect<Finding> => {
  if (!claimed(agent, "session/load")) return Effect.succeed(untried("it loads none"))
  return Effect.map(
    agent.wire.ask("session/load", reopening(folder, randomUUID())),
    showing((answer) => {
      if (isUnknown(answer)) return untried("it loads none")
      if (answer.type === "result") return quirk("loads it", "It loads a session that never was.")
      if (answer.type !== "error") return broken(words(answer), "A session that is not there is to be refused.")
      return answer.code === -32002
        ? holds(words(answer))
        : quirk(words(answer), "The code for a session that is not there is -32002.")
    })
  )
}

/** Lists sessions in another process after the first has ended, like a client that was started again. */
const later = Effect.fnUntraced(function* ({ another, folder }: Examinee) {
  const first = yield* another()
  const opening = yield* first.opening
  const session = sessionOf(first, opening.answer)
  if (Option.isNone(session)) return noSession(opening)
  const method = ["session/load", "session/resume"].find((method) => claimed(first, method))
  if (method === undefined) return untried("it resumes none")
  yield* first.end
  const { wire } = yield* another()
  return showing((answer): Finding => {
    if (isUnknown(answer)) return untried("it resumes none")
    return answer.type === "result"
      ? holds("works")
      : quirk(words(answer), "A session without a prompt is gone with its process.")
  })(yield* wire.ask(method, reopening(folder, session.value.sessionId)))
})

const byId = ({ sessionId }: OpenSession) => ({ sessionId })
const title = "Looked over by Signalbox"

const probe = (name: string, capability: string, look: Probe["look"]): Probe => ({
  probe: `sessions/${name}`,
  area: "sessions",
  capability,
  look
})

const { deletes, forks, loads, resumes } = keptProbes

export const sessionProbes: ReadonlyArray<Probe> = [
  probe("list", "Lists sessions", withSession(list)),
  probe("list-folder", "Lists those of a folder", withAgent(listOfFolder)),
  loads,
  resumes,
  { ...probe("later", "In another process", later), lane: "own" },
  probe("unknown", "Unknown session", withAgent(unknownSession)),
  forks,
  probe(
    "title",
    "Renames a session",
    trying("session/set_title", ({ sessionId }) => ({ sessionId, title }))
  ),
  probe("archive", "Archives a session", trying("session/archive", byId)),
  probe("close", "Closes a session", trying("session/close", byId)),
  deletes,
  probe(
    "cancel-idle",
    "Cancel without a turn",
    withSession(({ agent, sessionId }, examinee) => ignored("session/cancel", { sessionId })(agent, examinee))
  )
]
