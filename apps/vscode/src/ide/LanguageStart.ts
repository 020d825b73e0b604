/** Extensions that know a language, which may only start when they are first needed. */
import { LanguageServerError } from "@signalbox/lsp/LanguageServerError"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import * as vscode from "vscode"
import * as Deadline from "./Deadline.ts"
import * as TypeScriptServer from "./TypeScriptServer.ts"

const decode = Schema.decodeUnknownOption(Schema.Struct({ activationEvents: Schema.Array(Schema.String) }))

const isFor =
  (languageId: string) =>
  ({ packageJSON }: vscode.Extension<unknown>): boolean =>
    Option.exists(decode(packageJSON), ({ activationEvents }) => activationEvents.includes(`onLanguage:${languageId}`))

/** Milliseconds after its first question in which a language that says nothing is asked again, and between two questions. */
const startsWithin = 5000
const askEvery = 250

const pause = () => new Promise((resolve) => setTimeout(resolve, askEvery))

/** Milliseconds for extensions to start. One that takes longer is not waited for. */
const activeWithin = 5000

export interface LanguageStart {
  /** Languages in which a file has had symbols, so that one without any really has none. */
  readonly outlined: Set<string>
  /** Starts the extensions that know the language of a document. */
  readonly begun: (document: vscode.TextDocument) => Promise<void>
  /** Asks again while a language starts that has nothing to say. Rejects if it still reads its project. */
  readonly patiently: <A>(
    document: vscode.TextDocument,
    saysNothing: (answer: A) => boolean,
    ask: () => PromiseLike<A>,
    signal: AbortSignal
  ) => Promise<A>
}

const notReady = ({ fileName }: vscode.TextDocument) =>
  new LanguageServerError({
    reason: "NotReady",
    message: `VS Code still reads the project of ${fileName}. Ask again in a moment.`
  })

export const make = (): LanguageStart => {
  const started = new Map<string, number>()
  const begin = async (languageId: string): Promise<number> => {
    const known = started.get(languageId)
    if (known !== undefined) return known
    // VS Code starts them for an open document, too, and does not say when they are there. One that fails is its own problem.
    const starting = vscode.extensions.all.filter(isFor(languageId)).filter(({ isActive }) => !isActive)
    await Deadline.keeps(Promise.allSettled(starting.map((extension) => extension.activate())), activeWithin)
    const at = started.get(languageId) ?? Date.now()
    started.set(languageId, at)
    return at
  }
  return {
    // Their server is asked only when it has read the project.
    outlined: new Set(TypeScriptServer.languages),
    begun: async ({ languageId }) => void (await begin(languageId)),
    patiently: async (document, saysNothing, ask, signal) => {
      const end = (await begin(document.languageId)) + startsWithin
      if (!(await TypeScriptServer.ready(document))) throw notReady(document)
      while (true) {
        const answer = await ask()
        if (!saysNothing(answer) || Date.now() > end || signal.aborted) return answer
        await pause()
      }
    }
  }
}
