/** An editor in a few lines, as the client of the reference agent's process. Places are UTF-16 offsets of its texts. */
import { fileURLToPath } from "node:url"
import * as AcpClient from "@signalbox/acp/AcpClient"
import * as NesSchema from "@signalbox/acp/NesSchema"
import * as Positions from "@signalbox/acp/Positions"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import * as ChildProcess from "effect/process/ChildProcess"

const main = fileURLToPath(new URL("../../src/nes/main.ts", import.meta.url))
const root = "file:///work/app"

const Capabilities = Schema.Struct({
  nes: NesSchema.Capabilities,
  positionEncoding: Schema.optionalKey(Positions.PositionEncoding)
})
const Started = Schema.Struct({ sessionId: Schema.String, configOptions: Schema.optionalKey(Schema.Json) })
const Answer = Schema.Struct({ suggestions: Schema.Array(NesSchema.Suggestion) })

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
  const updates: Array<unknown> = []
  const client = yield* AcpClient.make(
    { input: child.stdout, output: child.stdin },
    {
      onUpdates: (batch) => Effect.sync(() => void updates.push(...batch)),
      requestPermission: () => Effect.succeed({ outcome: { outcome: "cancelled" } })
    }
  )
  const offer = { nes: kinds, positionEncodings: encodings ?? [] }
  yield* client.initialize({ clientInfo: { name: "editor", version: "0" }, capabilities: offer })
  const capabilities = yield* Schema.decodeUnknownEffect(Capabilities)(client.agentCapabilities())
  return { child, client, capabilities, updates }
})

type Connection = Effect.Success<ReturnType<typeof connect>>

/** Starts a session of suggestions, with documents of its own. */
export const session = Effect.fnUntraced(function* ({ capabilities, client }: Connection) {
  const answer = yield* client.extRequest("nes/start", {
    workspaceUri: root,
    workspaceFolders: [{ uri: root, name: "app" }]
  })
  const { configOptions, sessionId } = yield* Schema.decodeUnknownEffect(Started)(answer)
  const encoding = capabilities.positionEncoding ?? "utf-16"
  const wants = capabilities.nes.events?.document
  const documents = new Map<string, { readonly version: number; readonly text: string }>()
  let caret = { uri: "", at: 0 }

  const uriOf = (name: string) => `${root}/${name}`
  const textOf = (name: string) => documents.get(uriOf(name))?.text ?? ""
  const notify = (method: string, params: object) => client.extNotification(method, { sessionId, ...params })
  const position = (text: string, at: number) => Positions.of(text).positionAt(at, encoding)
  const range = (text: string, start: number, end: number) => ({
    start: position(text, start),
    end: position(text, end)
  })

  const open = Effect.fnUntraced(function* (name: string, text: string, languageId = "typescript") {
    const uri = uriOf(name)
    documents.set(uri, { version: 1, text })
    if (wants?.didOpen) yield* notify("document/didOpen", { uri, languageId, version: 1, text })
  })

  /** Makes changes, each in the text that the one before it has made. The caret goes behind the last one. */
  const change = Effect.fnUntraced(function* (
    uri: string,
    changes: ReadonlyArray<{ readonly start: number; readonly end: number; readonly text: string }>
  ) {
    const before = documents.get(uri) ?? { version: 0, text: "" }
    let { text } = before
    const version = before.version + 1
    const incremental: Array<unknown> = []
    for (const { end, start, text: words } of changes) {
      incremental.push({ range: range(text, start, end), text: words })
      text = text.slice(0, start) + words + text.slice(end)
      caret = { uri, at: start + words.length }
    }
    documents.set(uri, { version, text })
    const syncKind = wants?.didChange?.syncKind
    const contentChanges = syncKind === "incremental" ? incremental : [{ text }]
    if (syncKind) yield* notify("document/didChange", { uri, version, contentChanges })
  })

  /** Puts the caret into a document: in front of the text, or behind it. */
  const goTo = (name: string, text: string, side: "before" | "after" = "before") => {
    const at = textOf(name).indexOf(text)
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

  const request = ({ context, selection, trigger = "automatic" }: Asked = {}) => {
    const { text, version } = documents.get(caret.uri) ?? { text: "", version: 0 }
    return client.extRequest("nes/suggest", {
      sessionId,
      uri: caret.uri,
      version,
      position: position(text, caret.at),
      ...(selection && { selection: range(text, ...selection) }),
      triggerKind: trigger,
      ...(context && { context })
    })
  }

  const suggest = (asked?: Asked) =>
    Effect.flatMap(request(asked), Schema.decodeUnknownEffect(Answer)).pipe(
      Effect.map(({ suggestions }) => suggestions)
    )

  const offsetIn = (text: string, at: Positions.Position) => Positions.of(text).offsetAt(at, encoding)

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
    yield* notify("nes/accept", { id: suggestion.id })
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
    id: sessionId,
    configOptions,
    open,
    goTo,
    type,
    request,
    suggest,
    accept,
    notify,
    uriOf,
    textOf,
    /** Reports which lines of a document the window shows, and where the caret is. */
    focus: (name: string, shown: readonly [number, number]) =>
      notify("document/didFocus", {
        uri: uriOf(name),
        version: documents.get(uriOf(name))?.version ?? 0,
        position: { line: 0, character: 0 },
        visibleRange: { start: { line: shown[0], character: 0 }, end: { line: shown[1], character: 0 } }
      }),
    save: (name: string) => notify("document/didSave", { uri: uriOf(name) }),
    reject: (id: string, reason: NesSchema.RejectReason = "rejected") => notify("nes/reject", { id, reason }),
    close: client.extRequest("nes/close", { sessionId })
  }
})

/** Connects, and starts one session. */
export const start = Effect.fnUntraced(function* (setup: Setup = {}) {
  const connection = yield* connect(setup)
  return { ...connection, ...(yield* session(connection)) }
})
