/**
 * The memory of the user's agents, in a folder for the user alone. It has the user's profile. Each persona has an identity, a last checkpoint
 * and insights. Each file is replaced in one step, or not at all.
 */
import * as FileLock from "@signalbox/system/FileLock"
import * as PrivateFile from "@signalbox/system/PrivateFile"
import * as PrivateFolder from "@signalbox/system/PrivateFolder"
import { codeOf, messageOf } from "@signalbox/system/SystemError"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { open, readdir, rename, stat } from "node:fs/promises"
import { join } from "node:path"
import * as PersonaName from "./PersonaName.ts"

/** Why something can't be remembered, as a sentence for a model. */
export class MemoryFailure extends Schema.TaggedError<MemoryFailure>()("MemoryFailure", { message: Schema.String }) {}

export interface Identity {
  readonly persona: string
  readonly identity: string
  readonly memory?: string
  /** When the checkpoint was made, in RFC 3339. */
  readonly memoryFrom?: string
  readonly insights: ReadonlyArray<string>
  readonly profile?: string
}

export interface Memory {
  readonly identity: (persona: string) => Effect.Effect<Identity, MemoryFailure>
  readonly checkpoint: (persona: string, text: string) => Effect.Effect<void, MemoryFailure>
  /** Returns how many insights there are. */
  readonly addInsight: (persona: string, text: string) => Effect.Effect<number, MemoryFailure>
  readonly profile: Effect.Effect<string | undefined, MemoryFailure>
  readonly setProfile: (text: string) => Effect.Effect<void, MemoryFailure>
  readonly create: (persona: string, identity: string) => Effect.Effect<void, MemoryFailure>
  readonly list: Effect.Effect<ReadonlyArray<string>, MemoryFailure>
  readonly rename: (from: string, to: string) => Effect.Effect<void, MemoryFailure>
}

/** Most characters of one text, most insights of a persona, and most personas. */
export const most = { text: 16_000, insight: 1000, insights: 200, personas: 100 } as const

const neutral =
  "You are a careful colleague. You say what you know and what you do not, you ask when something is unclear, and you keep to what the user asks for."

const Insights = Schema.fromJsonString(Schema.Array(Schema.String))
const encodeInsights = Schema.encodeSync(Insights)
const decodeInsights = Schema.decodeUnknownEffect(Insights)

const failure = (message: string): MemoryFailure => new MemoryFailure({ message })

/** Most bytes of a file that is read: a person may have written it. */
const mostBytes = 1024 * 1024

const attempt = <A>(what: string, act: () => Promise<A>): Effect.Effect<A, MemoryFailure> =>
  Effect.tryPromise({ try: act, catch: (error) => failure(`${what}: ${messageOf(error)}.`) })

/** The text of a file; undefined if it is not there. */
const readText = (path: string): Effect.Effect<string | undefined, MemoryFailure> =>
  attempt(`${path} can't be read`, async () => {
    try {
      const file = await open(path)
      try {
        const { buffer, bytesRead } = await file.read({ buffer: Buffer.alloc(mostBytes + 1), position: 0 })
        if (bytesRead > mostBytes) throw new Error("it has more than 1 MiB")
        return buffer.toString("utf8", 0, bytesRead)
      } finally {
        await file.close()
      }
    } catch (error) {
      if (codeOf(error) === "ENOENT") return undefined
      throw error
    }
  })

const checkedName = (name: string): Effect.Effect<void, MemoryFailure> =>
  PersonaName.isOne(name)
    ? Effect.void
    : Effect.fail(failure(`${JSON.stringify(name.slice(0, 80))} is no name of a persona. ${PersonaName.rule}`))

const checkedText = (what: string, text: string, longest: number): Effect.Effect<void, MemoryFailure> => {
  if (text.trim() === "") return Effect.fail(failure(`${what} is empty. Write some words.`))
  return text.length > longest
    ? Effect.fail(failure(`${what} has ${text.length} characters, and ${longest} at most. Shorten it.`))
    : Effect.void
}

export const make = (folder: string): Memory => {
  const personas = join(folder, "personas")
  const profilePath = join(folder, "profile.md")
  const of = (persona: string, file: string) => join(personas, persona, file)

  /** Nobody else changes the memory meanwhile: sessions of several programs may share it. */
  const alone = <A>(work: Effect.Effect<A, MemoryFailure>): Effect.Effect<A, MemoryFailure> =>
    FileLock.alone(join(folder, "lock"), work, ({ message }) =>
      failure(`The memory in ${folder} can't be changed: ${message}.`)
    )

  const write = (path: string, text: string) =>
    attempt(`${path} can't be written`, () => PrivateFile.replace(path, text))

  const exists = (persona: string): Effect.Effect<boolean, MemoryFailure> =>
    Effect.map(readText(of(persona, "identity.md")), (text) => text !== undefined)

  const checkedPersona = Effect.fnUntraced(function* (persona: string) {
    yield* checkedName(persona)
    if (persona !== PersonaName.standard && !(yield* exists(persona)))
      return yield* failure(`There is no persona ${persona}. list_personas names them, and create_persona makes one.`)
  })

  const insightsOf = Effect.fnUntraced(function* (persona: string) {
    const path = of(persona, "insights.json")
    const text = yield* readText(path)
    if (text === undefined) return []
    return yield* Effect.mapError(decodeInsights(text), () =>
      failure(`${path} is no list of texts any more. A person has to correct it, or to delete it.`)
    )
  })

  const list = attempt(`${personas} can't be read`, async () => {
    const entries = await readdir(personas, { withFileTypes: true }).catch((error: unknown) => {
      if (codeOf(error) === "ENOENT") return []
      throw error
    })
    const made = entries.filter((entry) => entry.isDirectory() && PersonaName.isOne(entry.name)).map(({ name }) => name)
    return [...new Set([PersonaName.standard, ...made.sort()])]
  })

  return {
    identity: Effect.fnUntraced(function* (persona) {
      yield* checkedPersona(persona)
      const memoryPath = of(persona, "memory.md")
      const memory = yield* readText(memoryPath)
      const profile = yield* readText(profilePath)
      return {
        persona,
        identity: (yield* readText(of(persona, "identity.md"))) ?? neutral,
        ...(memory !== undefined && {
          memory,
          memoryFrom: (yield* attempt(`${memoryPath} can't be read`, () => stat(memoryPath))).mtime.toISOString()
        }),
        insights: yield* insightsOf(persona),
        ...(profile !== undefined && { profile })
      }
    }),
    checkpoint: Effect.fnUntraced(function* (persona, text) {
      yield* checkedText("The checkpoint", text, most.text)
      yield* alone(Effect.andThen(checkedPersona(persona), write(of(persona, "memory.md"), text)))
    }),
    addInsight: Effect.fnUntraced(function* (persona, text) {
      yield* checkedText("The insight", text, most.insight)
      return yield* alone(
        Effect.gen(function* () {
          yield* checkedPersona(persona)
          const insights = yield* insightsOf(persona)
          if (insights.includes(text)) return insights.length
          if (insights.length >= most.insights)
            return yield* failure(
              `${persona} has ${most.insights} insights, and no room for more. Ask the user which ones in ${of(persona, "insights.json")} may go.`
            )
          yield* write(of(persona, "insights.json"), encodeInsights([...insights, text]))
          return insights.length + 1
        })
      )
    }),
    profile: readText(profilePath),
    setProfile: (text) => Effect.andThen(checkedText("The profile", text, most.text), alone(write(profilePath, text))),
    create: Effect.fnUntraced(function* (persona, identity) {
      yield* checkedName(persona)
      yield* checkedText("The identity", identity, most.text)
      yield* alone(
        Effect.gen(function* () {
          if (yield* exists(persona)) return yield* failure(`There is a persona ${persona} already. Take another name.`)
          if ((yield* list).length >= most.personas)
            return yield* failure(`There are ${most.personas} personas, and no room for more.`)
          yield* write(of(persona, "identity.md"), identity)
        })
      )
    }),
    list,
    rename: Effect.fnUntraced(function* (from, to) {
      yield* checkedName(to)
      if (from === PersonaName.standard)
        return yield* failure(`The persona ${from} keeps its name. Create another one.`)
      yield* alone(
        Effect.gen(function* () {
          yield* checkedPersona(from)
          if (to === PersonaName.standard || (yield* exists(to)))
            return yield* failure(`There is a persona ${to} already. Take another name.`)
          yield* attempt(`${from} can't be renamed`, async () => {
            PrivateFolder.make(personas)
            await rename(join(personas, from), join(personas, to))
          })
        })
      )
    })
  }
}
