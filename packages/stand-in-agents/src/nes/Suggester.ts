/** One session of suggestions: it watches, has ideas, and learns from how they end. */
import * as NesAgent from "@signalbox/acp/NesAgent"
import { RpcError } from "@signalbox/acp/JsonRpc"
import * as Effect from "effect/Effect"
import { Memory } from "./Memory.ts"
import { complete } from "./mind/Completion.ts"
import { ideas } from "./mind/Mind.ts"
import { keyOf } from "./mind/Rejections.ts"
import { renamingBy } from "./mind/Rename.ts"
import type { Idea, Scene } from "./mind/Scene.ts"
import { sceneOf } from "./Observation.ts"
import { isMade, type Options } from "./Options.ts"
import * as Settings from "./Settings.ts"

/** How many suggestions come at most when a person asks for them. */
const mostOnRequest = 8

export interface Suggester extends NesAgent.SessionHandlers<never> {
  /** Sets which kinds are suggested, and reports it to the client. */
  readonly setScope: (scope: Settings.Scope) => Effect.Effect<void>
}

const suggestionFor = (idea: Idea, document: NesAgent.Document): NesAgent.Suggestion => {
  switch (idea.kind) {
    case "edit": {
      const edits = idea.changes.map(({ end, start, text }) => ({ from: start, to: end, newText: text }))
      return NesAgent.edit(document, edits, idea.caret)
    }
    case "rename": {
      const { at, kind, to, uri } = idea
      return { kind, uri, position: document.lines.positionAt(at), newName: to }
    }
    case "jump":
    case "searchAndReplace":
      return idea
  }
}

export const make = (session: NesAgent.Session, options: Options): Suggester => {
  const memory = new Memory()
  const isStale = options.misbehaviours.has("stale-version")
  let settings = Settings.initial

  const found = (scene: Scene): ReadonlyArray<Idea> => {
    const all = settings.scope === "line" ? complete(scene) : ideas(scene)
    const most = scene.trigger === "automatic" ? Number(settings.count) : mostOnRequest
    return all.filter((idea) => !memory.rejections.has(keyOf(idea, scene))).slice(0, most)
  }

  const suggest = (request: NesAgent.SuggestRequest): ReadonlyArray<NesAgent.Suggestion> => {
    const known = request.document
    const document = (isStale && memory.before.get(request.uri)) || known
    const kinds = new Set(Settings.kindsOf(settings).filter((kind) => session.kinds.has(kind) && isMade(options, kind)))
    const scene = sceneOf(request, document, memory, session, kinds)
    if (scene === undefined || document === undefined) return []
    const renaming = (scene.lastEdit && renamingBy(scene.lastEdit)) ?? scene.renamed
    return found(scene).map((idea) => {
      const suggestion = suggestionFor(idea, document)
      memory.offered(suggestion, { idea, key: keyOf(idea, scene), renaming })
      return suggestion
    })
  }

  const reported = () => (options.without.has("configOptions") ? undefined : Settings.configOptions(settings))

  return {
    configOptions: reported(),
    setConfigOption: ({ configId, value }) => {
      const next = Settings.changed(settings, configId, value)
      if (next === undefined)
        return Effect.fail(RpcError.invalidParams(`${configId} can't be ${JSON.stringify(value)}`))
      settings = next
      return Effect.succeed(Settings.configOptions(settings))
    },
    suggest: (request) => Effect.sync(() => suggest(request)),
    onEvent: (event) => Effect.sync(() => memory.onEvent(event)),
    onEnd: (ended) => Effect.sync(() => memory.onEnd(ended)),
    setScope: (scope) => {
      settings = { ...settings, scope }
      const all = reported()
      return all ? Effect.ignore(session.sendConfigOptions(all)) : Effect.void
    }
  }
}
