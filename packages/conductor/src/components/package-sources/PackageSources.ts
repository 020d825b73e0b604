/** A proxy that gives each session tools for questions about packages. Researchers answer, in sessions that the client never sees. */
import * as AcpProxy from "@signalbox/acp/AcpProxy"
import * as McpOverAcp from "@signalbox/acp/McpOverAcp"
import * as McpProvider from "@signalbox/acp/McpProvider"
import * as McpSessions from "@signalbox/acp/McpSessions"
import type { MessageLink } from "@signalbox/acp/MessageLink"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as FiberSet from "effect/FiberSet"
import type * as Scope from "effect/Scope"
import { join } from "node:path"
import * as CargoEcosystem from "../../ecosystems/cargo/CargoEcosystem.ts"
import * as GoEcosystem from "../../ecosystems/go/GoEcosystem.ts"
import type { SourceFailure } from "../../ecosystems/ecosystem/Ecosystem.ts"
import * as Ecosystems from "../../ecosystems/ecosystem/Ecosystems.ts"
import * as SourceCache from "../../ecosystems/ecosystem/SourceCache.ts"
import * as NpmEcosystem from "../../ecosystems/npm/NpmEcosystem.ts"
import type { Host } from "../../BuiltInComponent.ts"
import * as SessionCalls from "../../mcp/SessionCalls.ts"
import * as Researcher from "./research/Researcher.ts"
import * as ResearchHistory from "./research/ResearchHistory.ts"
import * as ShownResearch from "./research/ShownResearch.ts"
import type { Settings } from "./Settings.ts"
import * as QueryServer from "./tools/QueryServer.ts"
import type { PackageAnswer, PackageQuestion } from "./tools/QueryTools.ts"

export const run = Effect.fnUntraced(function* (
  link: MessageLink,
  { approval, atOnce, cache, graceSeconds, seconds }: Settings,
  log: (line: string) => void,
  { seal }: Host
): Effect.fn.Return<void, never, Scope.Scope> {
  const scope = yield* Effect.scope
  const background = yield* FiberSet.makeRuntime<never, void>()
  const sources = SourceCache.make(cache)
  const ecosystems = [CargoEcosystem.make(cache, sources), NpmEcosystem.make(cache, sources), GoEcosystem.make(cache)]
  const history = ResearchHistory.make(join(cache, "history"), log)

  const { closed } = yield* AcpProxy.make(link, (neighbours) => {
    const questions = SessionCalls.make(atOnce)
    const provider = McpProvider.make(neighbours.agent)
    let abilities: McpOverAcp.JsonObject = {}
    let protocol: unknown
    const laboratory: Researcher.Laboratory = {
      neighbours,
      provider,
      ecosystems,
      approval,
      seconds,
      graceSeconds,
      abilities: () => abilities,
      background: (effect) => void background(effect),
      scope
    }

    const isHidden = (session: unknown): boolean =>
      neighbours.ownSessions.has(String(McpOverAcp.objectOf(session)["sessionId"]))

    const answer = Effect.fnUntraced(function* (
      question: PackageQuestion,
      sessionId: string | undefined
    ): Effect.fn.Return<PackageAnswer, SourceFailure | Researcher.ResearchFailure> {
      const { cwd, heard, isFresh, prompt } = question
      const { ecosystem, source } = yield* Ecosystems.find(ecosystems, question)
      const { isFixed, name, version } = source
      const subject = { ecosystem, package: name, version, prompt }
      const earlier = isFixed && !isFresh ? yield* history.answered(subject) : undefined
      if (earlier !== undefined) return { ...earlier, answeredAt: earlier.at }
      const answered = yield* Effect.scoped(
        Effect.gen(function* () {
          const { client } = neighbours
          const shown = yield* ShownResearch.make({ ...subject, client, sessionId, protocol, approval, seal })
          const asked = Researcher.ask(laboratory, { ecosystem, source, prompt, cwd, heard, shown })
          return yield* Effect.onExit(asked, shown.end)
        })
      )
      const at = yield* Clock.currentTimeMillis
      // What may change is kept for people to read, and is no answer to a later question.
      yield* history.add({ ...subject, ...answered, at, cwd, isFixed })
      return { ...answered, version }
    })

    const sessions = McpSessions.interceptors(neighbours, ({ cwd, sessionId }) =>
      Effect.map(
        QueryServer.make({
          cwd,
          ecosystems,
          history,
          ask: (question) =>
            questions.take(
              sessionId(),
              Effect.tapError(answer(question, sessionId()), ({ message }) => Effect.sync(() => log(message))),
              () => new Researcher.ResearchFailure({ message: "The question was cancelled." })
            )
        }),
        (handler) => [{ name: QueryServer.name, handler }]
      )
    )
    const interceptors: AcpProxy.Interceptors<Scope.Scope> = {
      ...sessions,
      clientRequestsAsJson: {
        initialize: (params, forward) =>
          Effect.tap(sessions.clientRequestsAsJson.initialize(params, forward), (answered) =>
            Effect.sync(() => {
              const { agentCapabilities, protocolVersion } = McpOverAcp.objectOf(answered)
              abilities = McpOverAcp.objectOf(agentCapabilities)
              protocol = protocolVersion
            })
          ),
        "session/list": (_params, forward) =>
          Effect.map(forward(), (listed) => {
            const { sessions: all } = McpOverAcp.objectOf(listed)
            if (!Array.isArray(all) || !all.some(isHidden)) return listed
            return { ...McpOverAcp.objectOf(listed), sessions: all.filter((one) => !isHidden(one)) }
          })
      },
      clientNotifications: {
        "session/cancel": ({ sessionId }, forward) =>
          Effect.andThen(
            Effect.sync(() => questions.cancel(sessionId)),
            forward()
          )
      },
      agentRequests: {
        // A server of a researcher is known there, every other one here or to the next component.
        "mcp/message": (request, forward) =>
          provider.answer(request, (changed) => sessions.agentRequests["mcp/message"](changed ?? request, forward))
      }
    }
    return interceptors
  })
  yield* closed
})
