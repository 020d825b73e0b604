/** How a session begins, and whether somebody has to sign in first (ACP v1, session setup, authentication). */
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import { randomUUID } from "node:crypto"
import { existsSync, rmSync } from "node:fs"
import { join } from "node:path"
import type { Examinee } from "./Examinee.ts"
import type { Greeted, OpenSession } from "./OpenSession.ts"
import { seconds } from "./Limits.ts"
import { listIn, objectIn, updateIn } from "./Messages.ts"
import type { Opening } from "./Opening.ts"
import {
  broken,
  type Finding,
  holds,
  noSession,
  type Probe,
  quirk,
  saying,
  refusing,
  tookTooLong,
  untried,
  wantsLogin,
  withAgent,
  withSession,
  words
} from "./Probe.ts"
import { wordOf } from "./WordOf.ts"

const opened = ({ answer, before, durationMs }: Opening): Finding => {
  if (answer.type === "silence") return tookTooLong(answer.waitedMs)
  if (wantsLogin(answer)) return saying(answer, untried("it needs a sign-in"))
  if (answer.type !== "result") return saying(answer, broken(words(answer), "It opens no session."))
  if (typeof answer.result["sessionId"] !== "string") return broken("no id", "The answer holds no id of a session.")
  const seen =
    before === undefined
      ? holds(holding(answer.result))
      : saying(
          before,
          quirk(holding(answer.result), "It refuses the first session of a process, and opens the second.")
        )
  return { ...seen, durationMs }
}

/** The settings that the answer holds, in words. */
const holding = (result: Readonly<Record<string, unknown>>): string => {
  const kinds = [
    ["setting", listIn(result, "configOptions").length],
    ["mode", listIn(objectIn(result, "modes"), "availableModes").length],
    ["legacy model", listIn(objectIn(result, "models"), "availableModels").length]
  ] as const
  const told = kinds
    .filter(([, count]) => count > 0)
    .map(([name, count]) => `${count} ${name}${count === 1 ? "" : "s"}`)
  return told.length === 0 ? "an id, no settings" : told.join(", ")
}

const early = ({ agent, sessionId }: OpenSession) =>
  Effect.map(agent.opening, ({ answer, asked }): Finding => {
    const end = answer.type === "result" ? answer.line.number : Infinity
    const before = agent.wire
      .lines()
      .slice(asked)
      .filter((line) => line.number < end && updateIn(line, sessionId) !== undefined)
    return before.length === 0
      ? holds("none")
      : quirk(`${before.length} before the answer`, "It reports about a session before anybody knows its id.")
  })

const commands = ({ agent: { wire }, sessionId }: OpenSession, { limits }: Examinee) =>
  Effect.map(
    wire.next(
      (line) => updateIn(line, sessionId)?.["sessionUpdate"] === "available_commands_update",
      limits().commands,
      0
    ),
    (line): Finding => {
      if (Option.isNone(line)) return holds(`none within ${seconds(limits().commands)}`)
      const names = listIn(updateIn(line.value, sessionId) ?? {}, "availableCommands")
      return holds(`${names.length} reported`)
    }
  )

const relativeFolder = Effect.fnUntraced(function* ({ opening, wire }: Greeted) {
  const usual = yield* opening
  const answer = yield* wire.ask("session/new", { cwd: ".", mcpServers: [] })
  return refusing(usual, (answer): Finding => {
    if (answer.type === "error") return holds(words(answer))
    return answer.type === "result"
      ? quirk("opens a session", "A folder has to be absolute; it takes any.")
      : broken(words(answer), "It has to refuse a folder that is not absolute.")
  })(answer)
})

/** Asks for a session in a missing folder, below the folder that the agent works in. */
const missingFolder = Effect.fnUntraced(function* ({ opening, wire }: Greeted, { folder }: Examinee) {
  const usual = yield* opening
  const missing = join(folder, `missing-${randomUUID()}`)
  const answer = yield* wire.ask("session/new", { cwd: missing, mcpServers: [] })
  const isMade = existsSync(missing)
  if (isMade) rmSync(missing, { recursive: true, force: true })
  return refusing(usual, (answer): Finding => {
    if (isMade) return quirk("makes the folder", "A folder that is not there is to be refused; it makes one.")
    if (answer.type === "error") return holds(words(answer))
    return answer.type === "result"
      ? quirk("opens a session", "It opens a session in a folder that is not there.")
      : broken(words(answer), "It has to refuse a folder that is not there.")
  })(answer)
})

/** The ways to sign in that the agent offers. */
export const methodsOf = ({ hello }: Greeted): ReadonlyArray<string> =>
  listIn(hello, "authMethods").map(({ id, type = "agent" }) => `${wordOf(id)} (${wordOf(type)})`)

/**
 * Whether a session needs a sign-in. An opened session shows that none is needed. A refusal for another reason shows
 * nothing.
 */
const needed = (agent: Greeted) =>
  Effect.map(agent.opening, (opening): Finding => {
    const { answer } = opening
    if (answer.type === "result") return holds("not needed for a session")
    if (!wantsLogin(answer)) return noSession(opening)
    return saying(
      answer,
      methodsOf(agent).length > 0
        ? holds("needed for a session")
        : broken("needed for a session", "It wants somebody to sign in, and offers no way to.")
    )
  })

const status = ({ claims, wire }: Greeted) => {
  if (!claims.auth?.status) return Effect.succeed(holds("not offered", false))
  return Effect.map(wire.ask("auth/status", {}), (answer): Finding => {
    if (answer.type === "silence") return tookTooLong(answer.waitedMs, true)
    return answer.type === "result"
      ? holds("answered", true)
      : saying(answer, broken(words(answer), "It offers to report who is signed in, and does not.", true))
  })
}

/** Not tried: calling it would sign the person out. */
const logout = ({ claims }: Greeted): Finding =>
  claims.auth?.logout ? untried("it would sign you out", true) : holds("not offered", false)

const probe = (area: "start" | "login", name: string, capability: string, look: Probe["look"]): Probe => ({
  probe: `${area}/${name}`,
  area,
  capability,
  look
})

export const startProbes: ReadonlyArray<Probe> = [
  probe(
    "start",
    "session",
    "Opens a session",
    withAgent(({ opening }) => Effect.map(opening, opened))
  ),
  probe("start", "early-updates", "Updates before that", withSession(early)),
  probe("start", "commands", "Slash commands", withSession(commands)),
  probe("start", "relative-folder", "Relative folder", withAgent(relativeFolder)),
  probe("start", "missing-folder", "Missing folder", withAgent(missingFolder)),
  probe(
    "login",
    "methods",
    "Ways to sign in",
    withAgent((agent) => Effect.succeed(holds(methodsOf(agent).join(", ") || "none")))
  ),
  probe("login", "needed", "Signing in", withAgent(needed)),
  probe("login", "status", "Says who is signed in", withAgent(status)),
  probe(
    "login",
    "logout",
    "Signs out",
    withAgent((agent) => Effect.succeed(logout(agent)))
  )
]
