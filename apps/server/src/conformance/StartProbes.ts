/** How a session begins, and whether somebody has to sign in first (ACP v1, session setup, authentication). */
import type * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import { type Greeted, listIn, objectIn, type OpenSession, type Opening, updateIn } from "./Examinee.ts"
import { broken, type Finding, holds, type Probe, quirk, untried, withAgent, withSession, words } from "./Probe.ts"

const authRequired = -32000

const opened = ({ answer, before, durationMs }: Opening): Finding => {
  if (answer.type === "error" && answer.code === authRequired) return untried("somebody has to sign in first")
  if (answer.type !== "result") return broken(words(answer), "It opens no session.")
  if (typeof answer.result["sessionId"] !== "string") return broken("no id", "The answer holds no id of a session.")
  const seen =
    before === undefined
      ? holds(holding(answer.result))
      : quirk(holding(answer.result), "It refuses the first session of a process, and opens the second.")
  return { ...seen, durationMs }
}

/** What the answer tells about settings. */
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
    const lines = agent.wire.lines()
    const end = answer.type === "result" ? lines.indexOf(answer.line) : lines.length
    const before = lines.slice(asked, end).filter((line) => updateIn(line, sessionId) !== undefined)
    return before.length === 0
      ? holds("none")
      : quirk(`${before.length} before the answer`, "It reports about a session before anybody knows its id.")
  })

const commands =
  (within: Duration.Input) =>
  ({ agent: { wire }, sessionId }: OpenSession) =>
    Effect.map(
      wire.next((line) => updateIn(line, sessionId)?.["sessionUpdate"] === "available_commands_update", within, 0),
      (line): Finding => {
        if (Option.isNone(line)) return holds("none")
        const names = listIn(updateIn(line.value, sessionId) ?? {}, "availableCommands")
        return holds(`${names.length} reported`)
      }
    )

const relativeFolder = ({ wire }: Greeted) =>
  Effect.map(wire.ask("session/new", { cwd: ".", mcpServers: [] }), (answer): Finding => {
    if (answer.type === "error") return holds(words(answer))
    return answer.type === "result"
      ? quirk("opens a session", "A folder has to be absolute; it takes any.")
      : broken(words(answer), "It has to refuse a folder that is not absolute.")
  })

const methodsOf = ({ hello }: Greeted): ReadonlyArray<string> =>
  listIn(hello, "authMethods").map(({ id, type = "agent" }) => `${String(id)} (${String(type)})`)

const needed = (agent: Greeted) =>
  Effect.map(agent.opening, ({ answer }): Finding => {
    if (answer.type !== "error" || answer.code !== authRequired) return holds("not needed now")
    return methodsOf(agent).length > 0
      ? holds("needed")
      : broken("needed", "It wants somebody to sign in, and offers no way to.")
  })

const status = ({ claims, wire }: Greeted) => {
  if (!claims.auth?.status) return Effect.succeed(holds("not offered", false))
  return Effect.map(wire.ask("auth/status", {}), (answer): Finding =>
    answer.type === "result"
      ? holds("answered", true)
      : broken(words(answer), "It offers to tell who is signed in, and does not.", true)
  )
}

/** To try it would be to do it. */
const logout = ({ claims }: Greeted): Finding =>
  claims.auth?.logout ? untried("it would sign you out", true) : holds("not offered", false)

const probe = (area: "start" | "login", name: string, capability: string, look: Probe["look"]): Probe => ({
  probe: `${area}/${name}`,
  area,
  capability,
  look
})

export const startProbes: ReadonlyArray<Probe> = [
  {
    ...probe(
      "start",
      "session",
      "Opens a session",
      withAgent(({ opening }) => Effect.map(opening, opened))
    ),
    // Two attempts, where the first is refused.
    limit: "65 seconds"
  },
  probe("start", "early-updates", "Updates before that", withSession(early)),
  probe("start", "commands", "Slash commands", (examinee) => withSession(commands(examinee.limits.commands))(examinee)),
  probe("start", "relative-folder", "Relative folder", withAgent(relativeFolder)),
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
