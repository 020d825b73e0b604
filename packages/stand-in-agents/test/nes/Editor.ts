/** An editor in a few lines: the client's role before the reference agent's process. Places are offsets of its texts. */
import * as AcpClient from "@signalbox/acp/AcpClient"
import * as Nes from "@signalbox/acp/Nes"
import * as NesSchema from "@signalbox/acp/NesSchema"
import * as Positions from "@signalbox/acp/Positions"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import * as ChildProcess from "effect/process/ChildProcess"
import { programOf } from "../../../../scripts/suite/Program.ts"

const main = programOf(new URL("../../src/nes/main.ts", import.meta.url))
const root = "file:///repo/app"

const Capabilities = Schema.Struct({
  nes: NesSchema.Capabilities,
  positionEncoding: Schema.optionalKey(Positions.PositionEncoding)
})

export interface Setup {
  readonly args?: ReadonlyArray<string>
  readonly env?: Readonly<Record<string, string>>
  readonly encodings?: ReadonlyArray<Positions.PositionEncoding>
  readonly kinds?: NesSchema.ClientCapabilities
}

export interface Asked {
  readonly selection?: readonly [number, number]
  readonly trigger?: NesSchema.SuggestRequest["triggerKind"]
  readonly context?: NesSchema.Context
}

const allKinds = { jump: {}, rename: {}, searchAndReplace: {} }

/** Starts the agent's process, and makes the handshake. The scope's end is the end of the process. */
export const connect = Effect.fnUntraced(function* ({ args = [], encodings, env, kinds = allKinds }: Setup = {}) {
  const child = yield* ChildProcess.make(process.execPath, [main, ...args], {
    extendEnv: true,
    ...(env && { env }),
    forceKillAfter: "2 seconds"
  })
  const updates: Array<AcpClient.IncomingUpdate> = []
  const takers: Array<Nes.NesSession["take"]> = []
  const client = yield* AcpClient.make(
    { input: child.stdout, output: child.stdin },
    {
      onUpdates: (batch) =>
        Effect.sync(() => {
          updates.push(...batch)
          for (const update of batch) takers.some((take) => take(update))
        }),
      requestPermission: () => Effect.succeed({ outcome: { outcome: "cancelled" } })
    }
  )
  const offer = { nes: kinds, positionEncodings: encodings ?? [] }
  yield* client.initialize({ clientInfo: { name: "editor", version: "0" }, capabilities: offer })
  const capabilities = yield* Schema.decodeUnknownEffect(Capabilities)(client.agentCapabilities())
  const onUpdate = (take: Nes.NesSession["take"]) => void takers.push(take)
  return { child, client, offer, capabilities, updates, onUpdate }
})

type Connection = Effect.Success<ReturnType<typeof connect>>

/** Starts a session of suggestions, with documents of its own. `files`: texts of files that are not open. */
export const session = Effect.fnUntraced(function* (
  { client, offer, onUpdate }: Connection,
  files: Readonly<Record<string, string>> = {}
) {
  const uriOf = (name: string) => `${root}/${name}`
  const known = new Map(Object.entries(files).map(([name, text]) => [uriOf(name), text]))
  const workspace = { workspaceUri: root, workspaceFolders: [{ uri: root, name: "app" }] }
  const textOf = (uri: string) => Effect.sync(() => known.get(uri))
  const nes = yield* Nes.start(client, offer, workspace, { textOf })
  onUpdate(nes.take)
  const documents = new Map<string, { readonly version: number; readonly text: string }>()
  let caret = { uri: "", at: 0 }

  const textIn = (name: string) => documents.get(uriOf(name))?.text ?? ""
  const range = (text: string, start: number, end: number) => {
    const lines = Positions.of(text)
    return { start: lines.positionAt(start), end: lines.positionAt(end) }
  }

  const open = (name: string, text: string, languageId = "typescript") =>
    Effect.suspend(() => {
      documents.set(uriOf(name), { version: 1, text })
      return nes.didOpen({ uri: uriOf(name), languageId, version: 1, text })
    })

  /** Makes changes, each in the text that the one before it has made. The caret goes behind the last one. */
  const change = (
    uri: string,
    changes: ReadonlyArray<{ readonly start: number; readonly end: number; readonly text: string }>
  ) =>
    Effect.suspend(() => {
      let { text, version } = documents.get(uri) ?? { version: 0, text: "" }
      const ranges = changes.map(({ end, start, text: words }) => {
        const change = { range: range(text, start, end), text: words }
        text = text.slice(0, start) + words + text.slice(end)
        caret = { uri, at: start + words.length }
        return change
      })
      version += 1
      documents.set(uri, { version, text })
      return nes.didChange({ uri, version, changes: ranges })
    })

  /** Puts the caret into a document: in front of the text, or behind it. */
  const goTo = (name: string, text: string, side: "before" | "after" = "before") => {
    const at = textIn(name).indexOf(text)
    if (at === -1) throw new Error(`There is no ${text} in ${name}`)
    caret = { uri: uriOf(name), at: side === "before" ? at : at + text.length }
  }

  /** Types at the caret, key by key. A `\b` removes the character before it. */
  const type = Effect.fnUntraced(function* (keys: string) {
    for (const key of keys) {
      const { at, uri } = caret
      yield* change(uri, [key === "\b" ? { start: at - 1, end: at, text: "" } : { start: at, end: at, text: key }])
    }
  })

  const suggest = ({ context, selection, trigger = "automatic" }: Asked = {}) => {
    const text = documents.get(caret.uri)?.text ?? ""
    return nes.suggest({
      uri: caret.uri,
      position: Positions.of(text).positionAt(caret.at),
      ...(selection && { selection: range(text, ...selection) }),
      triggerKind: trigger,
      ...(context && { context })
    })
  }

  /** Asks at the caret, and gives the answer as it is on the wire. */
  const ask = Effect.suspend(() => {
    const { text, version } = documents.get(caret.uri) ?? { text: "", version: 0 }
    const position = Positions.of(text).positionAt(caret.at, nes.encoding)
    return client.extRequest("nes/suggest", {
      sessionId: nes.id,
      uri: caret.uri,
      version,
      position,
      triggerKind: "automatic"
    })
  })

  const offsetIn = (text: string, at: Positions.Position) => Positions.of(text).offsetAt(at)

  /** Does what a suggestion says, and reports that it was accepted. */
  const accept = Effect.fnUntraced(function* (suggestion: NesSchema.Suggestion) {
    const { uri } = suggestion
    const text = documents.get(uri)?.text ?? ""
    switch (suggestion.kind) {
      case "jump":
        caret = { uri, at: offsetIn(text, suggestion.position) }
        break
      case "edit": {
        // From the last one to the first: each is about the text as it was.
        const edits = suggestion.edits.map(({ newText, range }) => ({
          start: offsetIn(text, range.start),
          end: offsetIn(text, range.end),
          text: newText
        }))
        yield* change(uri, edits.toReversed())
        const after = documents.get(uri)?.text ?? ""
        if (suggestion.cursorPosition) caret = { uri, at: offsetIn(after, suggestion.cursorPosition) }
        break
      }
      case "rename": {
        const at = offsetIn(text, suggestion.position)
        const [word = ""] = /^[\p{L}\p{N}_$]+/u.exec(text.slice(at)) ?? []
        yield* replaceAll(
          uri,
          text,
          new RegExp(`(?<![\\p{L}\\p{N}_$])${word}(?![\\p{L}\\p{N}_$])`, "gu"),
          suggestion.newName
        )
        break
      }
      case "searchAndReplace":
        for (const [each, document] of documents)
          if (each.startsWith(uri))
            yield* replaceAll(each, document.text, new RegExp(suggestion.search, "g"), suggestion.replace)
    }
    yield* nes.accept(suggestion.id)
  })

  const replaceAll = Effect.fnUntraced(function* (uri: string, text: string, pattern: RegExp, words: string) {
    const places = [...text.matchAll(pattern)].map((match) => ({
      start: match.index,
      end: match.index + match[0].length,
      text: words
    }))
    if (places.length > 0) yield* change(uri, places.toReversed())
  })

  return {
    nes,
    open,
    goTo,
    type,
    suggest,
    ask,
    accept,
    uriOf,
    textIn,
    /** Reports which lines of a document the window shows. */
    focus: (name: string, [from, to]: readonly [number, number]) =>
      nes.didFocus({
        uri: uriOf(name),
        position: { line: from, character: 0 },
        visibleRange: { start: { line: from, character: 0 }, end: { line: to, character: 0 } }
      })
  }
})

/** Connects, and starts one session. */
export const start = Effect.fnUntraced(function* (setup: Setup = {}) {
  const connection = yield* connect(setup)
  return { ...connection, ...(yield* session(connection)) }
})
