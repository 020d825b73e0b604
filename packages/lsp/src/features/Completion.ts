/** Asks for texts that may be typed at a place. */
import * as Lenient from "@signalbox/acp/Lenient"
import { type Position, Range } from "@signalbox/acp/Positions"
import * as Wire from "@signalbox/acp/Wire"
import * as Effect from "effect/Effect"
import * as Predicate from "effect/Predicate"
import * as Result from "effect/Result"
import * as Schema from "effect/Schema"
import type { LanguageServerError } from "../LanguageServerError.ts"
import type { TextEdit } from "./Edit.ts"
import * as Reading from "./Reading.ts"
import type { Asking } from "./Session.ts"
import * as Text from "./Text.ts"

const kinds = [
  "text",
  "method",
  "function",
  "constructor",
  "field",
  "variable",
  "class",
  "interface",
  "module",
  "property",
  "unit",
  "value",
  "enum",
  "keyword",
  "snippet",
  "color",
  "file",
  "reference",
  "folder",
  "enumMember",
  "constant",
  "struct",
  "event",
  "operator",
  "typeParameter"
] as const

export interface CompletionItem {
  readonly label: string
  readonly kind: (typeof kinds)[number] | "other"
  readonly detail?: string
  readonly documentation?: Text.Text
  /** Texts by which items are sorted and filtered. */
  readonly sortText: string
  readonly filterText: string
  readonly isDeprecated: boolean
  readonly isPreselected: boolean
  /** The text that is typed. Without a range it takes the place of the word before the position. */
  readonly insert: { readonly newText: string; readonly range?: Range }
  /** Edits elsewhere in the file, such as an import. Some servers have them only in a resolved item. */
  readonly additionalEdits: ReadonlyArray<TextEdit>
  /** The item as the server sent it, to be resolved. */
  readonly raw: object
}

export interface Completion {
  /** Whether more typing may bring other items. */
  readonly isIncomplete: boolean
  readonly items: ReadonlyArray<CompletionItem>
}

export interface Completing {
  /** @param typed the character that was typed just before, if the server wants to hear of it */
  readonly completion: (
    path: string,
    position: Position,
    typed?: string
  ) => Effect.Effect<Completion, LanguageServerError>
  /** The item with all that the server knows about it. The same item if the server can't say more. */
  readonly resolveCompletion: (path: string, item: CompletionItem) => Effect.Effect<CompletionItem, LanguageServerError>
}

const EditSchema = Schema.Struct({
  newText: Schema.String,
  range: Wire.lenient(Range),
  insert: Wire.lenient(Range),
  replace: Wire.lenient(Range)
})
const ItemSchema = Schema.Struct({
  label: Schema.String,
  kind: Wire.lenient(Schema.Finite),
  detail: Wire.lenient(Schema.String),
  documentation: Schema.optionalKey(Schema.Unknown),
  deprecated: Wire.lenient(Schema.Boolean),
  tags: Wire.lenient(Schema.Array(Schema.Finite)),
  preselect: Wire.lenient(Schema.Boolean),
  sortText: Wire.lenient(Schema.String),
  filterText: Wire.lenient(Schema.String),
  insertText: Wire.lenient(Schema.String),
  textEdit: Wire.lenient(EditSchema),
  textEditText: Wire.lenient(Schema.String),
  additionalTextEdits: Wire.lenient(Schema.Array(Schema.Struct({ range: Range, newText: Schema.String })))
})
const DefaultsSchema = Schema.Struct({
  editRange: Wire.lenient(Schema.Union([Range, Schema.Struct({ insert: Range, replace: Range })])),
  data: Schema.optionalKey(Schema.Unknown)
})
type Defaults = typeof DefaultsSchema.Type

const readItem = Lenient.reader(ItemSchema)
const readDefaults = Lenient.reader(DefaultsSchema)

const itemReader =
  ({ data, editRange }: Defaults): Lenient.Reader<CompletionItem> =>
  (input) =>
    Result.map(readItem(input), ({ dropped, value }) => {
      const { label, textEdit } = value
      const text = Text.of(value.documentation)
      const common = editRange === undefined ? undefined : "replace" in editRange ? editRange.replace : editRange
      const range = textEdit?.range ?? textEdit?.replace ?? (textEdit === undefined ? common : undefined)
      const plain = (common === undefined ? undefined : value.textEditText) ?? value.insertText ?? label
      const raw = Predicate.isObject(input) ? input : {}
      return {
        value: {
          label,
          kind: kinds[(value.kind ?? 0) - 1] ?? "other",
          ...(value.detail !== undefined && { detail: value.detail }),
          ...(text !== undefined && { documentation: text }),
          sortText: value.sortText ?? label,
          filterText: value.filterText ?? label,
          isDeprecated: value.deprecated === true || value.tags?.includes(1) === true,
          isPreselected: value.preselect === true,
          insert: { newText: textEdit?.newText ?? plain, ...(range !== undefined && { range }) },
          additionalEdits: value.additionalTextEdits ?? [],
          raw: data === undefined || "data" in raw ? raw : { ...raw, data }
        },
        dropped
      }
    })

const method = "textDocument/completion"

export const make = (asking: Asking): Completing => ({
  completion: (path, position, typed) =>
    asking((session) =>
      Effect.gen(function* () {
        const document = yield* session.send(path)
        const offer = session.offer(method, document)
        const triggers = Predicate.isObject(offer) ? offer["triggerCharacters"] : undefined
        const isTrigger = typed !== undefined && Array.isArray(triggers) && triggers.includes(typed)
        // 1: asked for, 2: by a character.
        const context = isTrigger ? { triggerKind: 2, triggerCharacter: typed } : { triggerKind: 1 }
        const params = { textDocument: { uri: document.uri }, position, context }
        const answer = yield* session.ask(method, params, document)
        const {
          isIncomplete,
          itemDefaults = {},
          items
        } = Predicate.isObject(answer) ? answer : { isIncomplete: false, items: answer }
        const defaults = yield* Reading.one(session, method, readDefaults, itemDefaults)
        return {
          isIncomplete: isIncomplete === true,
          items: yield* Reading.list(session, method, itemReader(defaults), items)
        }
      })
    ),
  resolveCompletion: (path, item) =>
    asking((session) =>
      Effect.gen(function* () {
        const document = yield* session.send(path)
        const offer = session.offer(method, document)
        if (!Predicate.isObject(offer) || offer["resolveProvider"] !== true) return item
        const answer = yield* session.ask("completionItem/resolve", item.raw, document)
        return yield* Reading.one(session, "completionItem/resolve", itemReader({}), {
          ...item.raw,
          ...objectOf(answer)
        })
      })
    )
})

const objectOf = (value: unknown): object => (Predicate.isObject(value) ? value : {})
