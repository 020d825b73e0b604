/** Wrong answers to `nes/suggest`, as they go to the client. Positions count in the encoding that was agreed on. */
import type { Document } from "@signalbox/acp/NesAgent"
import type { Position, PositionEncoding, Range } from "@signalbox/acp/Positions"
import type { Misbehaviour } from "./Misbehaviour.ts"

/** A request, as far as wrong answers need it. */
export interface Asked {
  readonly uri: string
  readonly position: Position
  readonly document: Document | undefined
  readonly encoding: PositionEncoding
  /** Gives an id that no other suggestion has. */
  readonly nextId: () => string
}

/** A suggestion that may be wrong in any way. */
type Wrong = Readonly<Record<string, unknown>>
type Answer = (asked: Asked, right: ReadonlyArray<unknown>) => ReadonlyArray<unknown>

const range = (line: number, from: number, to: number): Range => ({
  start: { line, character: from },
  end: { line, character: to }
})

const edit = (
  { nextId, uri }: Asked,
  ...edits: ReadonlyArray<{ readonly range: Range; readonly newText: string }>
): Wrong => ({
  id: nextId(),
  kind: "edit",
  uri,
  edits
})

const here = ({ position }: Asked): Range => ({ start: position, end: position })

const many =
  (count: number): Answer =>
  (asked) =>
    Array.from({ length: count }, (_, index) => edit(asked, { range: here(asked), newText: `suggestion ${index + 1}` }))

/** A position in the middle of the first character that has a middle in the encoding. */
const insideCharacter = ({ document, encoding }: Asked): Position | undefined => {
  const at = document?.lines.text.search(encoding === "utf-8" ? /[^\0-\x7f]/ : /[\ud800-\udbff]/) ?? -1
  if (document === undefined || at === -1 || encoding === "utf-32") return undefined
  const { character, line } = document.lines.positionAt(at, encoding)
  return { line, character: character + 1 }
}

const answers: Partial<Readonly<Record<Misbehaviour, Answer>>> = {
  "overlapping-edits": (asked) => {
    const upToHere = { start: { line: 0, character: 0 }, end: asked.position }
    return [edit(asked, { range: upToHere, newText: "one" }, { range: upToHere, newText: "two" })]
  },
  "out-of-range": (asked) => [
    edit(asked, { range: range(asked.position.line, 1_000_000, 1_000_001), newText: "beyond the line" }),
    edit(asked, { range: range(4_000_000_000, 0, 7), newText: "beyond the document" })
  ],
  "inside-a-character": (asked) => {
    const start = insideCharacter(asked)
    return start ? [edit(asked, { range: { start, end: start }, newText: "inside" })] : []
  },
  "inverted-range": (asked) => {
    const { start } = here(asked)
    return [
      edit(asked, {
        range: { start: { line: start.line, character: start.character + 3 }, end: start },
        newText: "inverted"
      })
    ]
  },
  "kinds-not-offered": ({ nextId, position, uri }) => [
    { id: nextId(), kind: "jump", uri, position },
    { id: nextId(), kind: "rename", uri, position, newName: "notOffered" },
    { id: nextId(), kind: "searchAndReplace", uri, search: "a", replace: "b" }
  ],
  "unknown-kind": ({ nextId, uri }, right) => [{ id: nextId(), kind: "teleport", uri }, ...right],
  ten: many(10),
  "ten-thousand": many(10_000),
  "duplicate-ids": (asked) =>
    [...many(2)(asked, [])].map((suggestion) => Object.assign({}, suggestion, { id: "the same" })),
  "slow-pattern": ({ nextId, uri }) => [
    { id: nextId(), kind: "searchAndReplace", uri, search: "^(\\w+\\s?)+$", replace: "", isRegex: true }
  ],
  "wrong-uri": (asked) =>
    ["file:///nowhere/at/all.txt", "file:///etc/../etc/passwd", "https://localhost/file.ts", "no address"].map((uri) =>
      edit({ ...asked, uri }, { range: range(0, 0, 0), newText: "wrong" })
    ),
  "huge-text": (asked) => [edit(asked, { range: here(asked), newText: "x".repeat(8 * 1024 * 1024) })]
}

/** The answer that a misbehaving agent gives in place of the right one. */
export const wrongAnswer = (
  misbehaviours: ReadonlySet<Misbehaviour>,
  asked: Asked,
  right: ReadonlyArray<unknown>
): ReadonlyArray<unknown> => {
  const wrong = [...misbehaviours].flatMap((name) => answers[name] ?? [])
  return wrong.length === 0 ? right : wrong.flatMap((answer) => answer(asked, right))
}
