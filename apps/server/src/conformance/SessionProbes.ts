/** What an agent does with sessions that there are: claimed against seen (ACP v1, session list, load, resume, close, delete). */
import * as Capabilities from "@signalbox/acp/Capabilities"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import { randomUUID } from "node:crypto"
import * as Redaction from "../tape/Redaction.ts"
import { type Examinee, type Greeted, type Json, listIn, type OpenSession } from "./Examinee.ts"
import { ignored } from "./Liveness.ts"
import {
  broken,
  type Finding,
  holds,
  type Probe,
  quirk,
  untried,
  withAgent,
  withSession,
  withSpare,
  words
} from "./Probe.ts"
import type { Answer } from "./Wire.ts"

const claimed = ({ claims }: Greeted, method: string): boolean =>
  Capabilities.missingForMethod(claims, method) === undefined

/** Its claim was a false one; that is told where it is looked at. */
const isUnknown = (answer: Answer): boolean => answer.type === "error" && answer.code === -32601

/** What an answer says about a claim; `done` looks at a result closer. */
const judged = (claim: boolean, answer: Answer, done: (result: Json) => Finding = () => holds("works")): Finding => {
  if (answer.type === "result") {
    const finding = done(answer.result)
    if (claim) return { ...finding, claimed: true }
    return quirk(finding.seen, "It does it, and does not say that it can.", false)
  }
  const seen = words(answer)
  if (answer.type === "error") {
    if (!claim) return holds(seen, false)
    return isUnknown(answer)
      ? broken(seen, "It says that it can, and does not know the method.", true)
      : broken(seen, `It says that it can, and answers: ${Redaction.text(answer.message)}`, true)
  }
  return claim
    ? broken(seen, "It says that it can.", true)
    : quirk(seen, "What it can't do it should refuse at once.", false)
}

/** One that an agent does not offer it mostly refuses at once. */
const limitOf = (claim: boolean) => (claim ? "15 seconds" : "3 seconds")

const trying =
  (
    method: string,
    params: (session: OpenSession) => Json,
    done?: (session: OpenSession) => (result: Json) => Finding
  ) =>
  (session: OpenSession) => {
    const claim = claimed(session.agent, method)
    return Effect.map(session.agent.wire.ask(method, params(session), limitOf(claim)), (answer) =>
      judged(claim, answer, done?.(session))
    )
  }

const byId = ({ sessionId }: OpenSession): Json => ({ sessionId })
const opening =
  (cwd: string) =>
  ({ sessionId }: OpenSession): Json => ({ sessionId, cwd, mcpServers: [] })

/** Settings that came with a new session are to come with one that is taken up as well. */
const withSettings =
  ({ result: fresh }: OpenSession) =>
  (result: Json): Finding => {
    const lost = ["configOptions", "modes"].filter((key) => fresh[key] !== undefined && (result[key] ?? null) === null)
    return lost.length === 0
      ? holds("works")
      : quirk("works", `The answer does not hold the ${lost.join(" and ")} that a new session has.`)
  }

const maxPages = 20

/** All that it lists, page by page. */
const listed = Effect.fnUntraced(function* ({ wire }: Greeted, filter: Json) {
  const sessions: Array<Json> = []
  let cursor: unknown
  let pages = 0
  while (pages < maxPages) {
    const answer = yield* wire.ask("session/list", { ...filter, ...(cursor !== undefined && { cursor }) })
    if (answer.type !== "result") return { answer, sessions, pages }
    pages += 1
    sessions.push(...listIn(answer.result, "sessions"))
    const { nextCursor } = answer.result
    if (typeof nextCursor !== "string" || nextCursor === cursor) return { answer, sessions, pages }
    cursor = nextCursor
  }
  return { answer: undefined, sessions, pages }
})

const list = ({ agent, sessionId }: OpenSession) =>
  Effect.map(listed(agent, {}), ({ answer, pages, sessions }): Finding => {
    const claim = claimed(agent, "session/list")
    if (answer === undefined)
      return quirk("works", `It has more than ${maxPages} pages, or the list has no end.`, claim)
    return judged(claim, answer, () =>
      sessions.some((one) => one["sessionId"] === sessionId)
        ? holds(pages === 1 ? "works, in one page" : `works, in ${pages} pages`)
        : quirk("works", "A session without a prompt is not in the list.")
    )
  })

const listOfFolder =
  (folder: string) =>
  (agent: Greeted): Effect.Effect<Finding> => {
    if (!claimed(agent, "session/list")) return Effect.succeed(untried("it lists none"))
    return Effect.map(listed(agent, { cwd: folder }), ({ answer, sessions }): Finding => {
      if (answer !== undefined && isUnknown(answer)) return untried("it lists none")
      if (answer !== undefined && answer.type !== "result")
        return broken(words(answer), "It refuses to list those of a folder.")
      return sessions.every(({ cwd }) => cwd === folder)
        ? holds("only those")
        : quirk("others too", "It lists sessions of other folders.")
    })
  }

const unknownSession =
  (folder: string) =>
  (agent: Greeted): Effect.Effect<Finding> => {
    if (!claimed(agent, "session/load")) return Effect.succeed(untried("it loads none"))
    return Effect.map(
      agent.wire.ask("session/load", opening(folder)({ agent, sessionId: randomUUID(), result: {} })),
      (answer) => {
        if (isUnknown(answer)) return untried("it loads none")
        if (answer.type === "result") return quirk("takes it up", "It takes up a session that never was.")
        if (answer.type !== "error") return broken(words(answer), "A session that is not there is to be refused.")
        return answer.code === -32002
          ? holds(words(answer))
          : quirk(words(answer), "The code for a session that is not there is -32002.")
      }
    )
  }

/** In another process: what a client does that was started again. */
const later = ({ another, folder, session: shared }: Examinee) =>
  Effect.flatMap(shared, (session) => {
    if (Option.isNone(session)) return Effect.succeed(untried("it opens no session"))
    const method = ["session/load", "session/resume"].find((method) => claimed(session.value.agent, method))
    if (method === undefined) return Effect.succeed(untried("it takes up none"))
    return Effect.map(
      Effect.flatMap(another(), ({ wire }) => wire.ask(method, opening(folder)(session.value))),
      (answer): Finding => {
        if (isUnknown(answer)) return untried("it takes up none")
        return answer.type === "result"
          ? holds("works")
          : quirk(words(answer), "A session without a prompt is gone with its process.")
      }
    )
  })

/** After that it is in no list, and can't be taken up. */
const deletion = Effect.fnUntraced(function* (session: OpenSession) {
  const finding = yield* trying("session/delete", byId)(session)
  if (finding.verdict !== "holds" || finding.claimed !== true || !claimed(session.agent, "session/list")) return finding
  const { sessions } = yield* listed(session.agent, {})
  return sessions.some((one) => one["sessionId"] === session.sessionId)
    ? quirk(finding.seen, "A session that was deleted is still in the list.", true)
    : finding
})

const fork = (folder: string) =>
  trying("session/fork", opening(folder), ({ sessionId }) => (result) => {
    const forked = result["sessionId"]
    return typeof forked === "string" && forked !== sessionId
      ? holds("works")
      : broken("no new id", "The answer holds no id of another session.")
  })

const title = "Looked over by Signalbox"

const probe = (name: string, capability: string, look: Probe["look"]): Probe => ({
  probe: `sessions/${name}`,
  area: "sessions",
  capability,
  look
})

export const sessionProbes: ReadonlyArray<Probe> = [
  probe("list", "Lists sessions", withSession(list)),
  probe("list-folder", "Lists those of a folder", (examinee) => withAgent(listOfFolder(examinee.folder))(examinee)),
  probe("load", "Loads a session", (examinee) =>
    withSpare(trying("session/load", opening(examinee.folder), withSettings))(examinee)
  ),
  probe("resume", "Resumes a session", (examinee) =>
    withSpare(trying("session/resume", opening(examinee.folder), withSettings))(examinee)
  ),
  probe("later", "In another process", later),
  probe("unknown", "Unknown session", (examinee) => withAgent(unknownSession(examinee.folder))(examinee)),
  probe("fork", "Forks a session", (examinee) => withSpare(fork(examinee.folder))(examinee)),
  probe(
    "title",
    "Renames a session",
    withSpare(trying("session/set_title", ({ sessionId }) => ({ sessionId, title })))
  ),
  probe("archive", "Archives a session", withSpare(trying("session/archive", byId))),
  probe("close", "Closes a session", withSpare(trying("session/close", byId))),
  probe("delete", "Deletes a session", withSpare(deletion)),
  probe(
    "cancel-idle",
    "Cancel without a turn",
    withSession(({ agent, sessionId }) => ignored("session/cancel", { sessionId })(agent))
  )
]
