/** Quick fixes and refactorings, code lenses, and commands of a server. */
import * as Lenient from "@signalbox/acp/Lenient"
import { Range } from "@signalbox/acp/Positions"
import * as Wire from "@signalbox/acp/Wire"
import * as Effect from "effect/Effect"
import * as Predicate from "effect/Predicate"
import * as Result from "effect/Result"
import * as Schema from "effect/Schema"
import type { LanguageServerError } from "../LanguageServerError.ts"
import type { Diagnostic } from "./Diagnostic.ts"
import * as Edit from "./Edit.ts"
import * as Reading from "./Reading.ts"
import type { Asking, Session } from "./Session.ts"

/** Something that the server itself carries out, if it is asked to. */
export interface Command {
  readonly title: string
  readonly command: string
  readonly arguments: ReadonlyArray<unknown>
}

export interface CodeAction {
  readonly title: string
  /** `quickfix`, `refactor.extract`, `source.organizeImports`. Undefined if the server doesn't say. */
  readonly kind?: string
  readonly isPreferred: boolean
  /** Why it can't be done now. Undefined if it can. */
  readonly disabled?: string
  /** Undefined if it has none, or if the server knows it only after `resolveCodeAction`. */
  readonly edit?: Edit.WorkspaceEdit
  /** Carried out after the edit. */
  readonly command?: Command
  /** The action as the server sent it, to be resolved. */
  readonly raw: object
}

/** A command that belongs to a line of code, such as *Run test*. */
export interface CodeLens {
  readonly range: Range
  /** Undefined until it is resolved. */
  readonly command?: Command
}

export interface CodeActions {
  /** @param only kinds that are wanted. `quickfix` includes `quickfix.imports`. Default: all. */
  readonly codeActions: (
    path: string,
    range: Range,
    options?: { readonly diagnostics?: ReadonlyArray<Diagnostic>; readonly only?: ReadonlyArray<string> }
  ) => Effect.Effect<ReadonlyArray<CodeAction>, LanguageServerError>
  /** The action with its edit. */
  readonly resolveCodeAction: (path: string, action: CodeAction) => Effect.Effect<CodeAction, LanguageServerError>
  /** Lenses with their commands. */
  readonly codeLenses: (path: string) => Effect.Effect<ReadonlyArray<CodeLens>, LanguageServerError>
  /** Lets the server carry out a command. It may want to change files: then `onEdit` decides. It is never asked twice. */
  readonly executeCommand: (
    command: string,
    args?: ReadonlyArray<unknown>
  ) => Effect.Effect<unknown, LanguageServerError>
}

const CommandSchema = Schema.Struct({
  title: Schema.String,
  command: Schema.String,
  arguments: Wire.lenient(Schema.Array(Schema.Unknown))
})
const ActionSchema = Schema.Struct({
  title: Schema.String,
  kind: Wire.lenient(Schema.String),
  isPreferred: Wire.lenient(Schema.Boolean),
  disabled: Wire.lenient(Schema.Struct({ reason: Schema.String })),
  edit: Schema.optionalKey(Schema.Unknown),
  command: Wire.lenient(CommandSchema)
})
const LensSchema = Schema.Struct({ range: Range, command: Wire.lenient(CommandSchema) })

const readCommand = Lenient.reader(CommandSchema)
const readAction = Lenient.reader(ActionSchema)
const readLens = Lenient.reader(LensSchema)

const commandOf = ({ arguments: args = [], command, title }: typeof CommandSchema.Type): Command => ({
  title,
  command,
  arguments: args
})

interface Unread extends CodeAction {
  readonly rawEdit: unknown
}

/** Reads a `CodeAction`, or a `Command` of a server that has only these. */
const reader: Lenient.Reader<Unread> = (input) => {
  const raw = Predicate.isObject(input) ? input : {}
  if (Predicate.isObject(input) && typeof input["command"] === "string")
    return Result.map(readCommand(input), ({ dropped, value }) => ({
      value: { title: value.title, isPreferred: false, command: commandOf(value), raw, rawEdit: undefined },
      dropped
    }))
  return Result.map(readAction(input), ({ dropped, value: { command, disabled, edit, isPreferred, kind, title } }) => ({
    value: {
      title,
      ...(kind !== undefined && { kind }),
      isPreferred: isPreferred === true,
      ...(disabled !== undefined && { disabled: disabled.reason }),
      ...(command !== undefined && { command: commandOf(command) }),
      raw,
      rawEdit: edit
    },
    dropped
  }))
}

const withEdit = (session: Session, method: string, { rawEdit, ...action }: Unread) =>
  Effect.map(Edit.read(session, method, rawEdit), (edit): CodeAction =>
    edit === undefined ? action : { ...action, edit }
  )

const severities = { error: 1, warning: 2, information: 3, hint: 4 } as const

/** A finding as the protocol has it, for a question about fixes. */
const asSent = ({ code, data, message, range, severity, source }: Diagnostic) => ({
  range,
  severity: severities[severity],
  message,
  ...(code !== undefined && { code }),
  ...(source !== undefined && { source }),
  ...(data !== undefined && { data })
})

/** Most lenses whose commands are asked for one by one. */
const mostResolved = 200

const codeAction = "textDocument/codeAction"
const codeLens = "textDocument/codeLens"

const isResolvable = (session: Session, method: string, document: Parameters<Session["offer"]>[1]): boolean => {
  const offer = session.offer(method, document)
  return Predicate.isObject(offer) && offer["resolveProvider"] === true
}

export const make = (asking: Asking): CodeActions => ({
  codeActions: (path, range, { diagnostics = [], only } = {}) =>
    asking((session) =>
      Effect.gen(function* () {
        const document = yield* session.send(path)
        const context = { diagnostics: diagnostics.map(asSent), triggerKind: 1, ...(only !== undefined && { only }) }
        const params = { textDocument: { uri: document.uri }, range, context }
        const read = yield* Reading.list(session, codeAction, reader, yield* session.ask(codeAction, params, document))
        return yield* Effect.forEach(read, (action) => withEdit(session, codeAction, action))
      })
    ),
  resolveCodeAction: (path, action) =>
    asking((session) =>
      Effect.gen(function* () {
        const document = yield* session.send(path)
        if (action.edit !== undefined || !isResolvable(session, codeAction, document)) return action
        const method = "codeAction/resolve"
        const read = yield* Reading.one(session, method, reader, yield* session.ask(method, action.raw, document))
        return yield* withEdit(session, method, read)
      })
    ),
  codeLenses: (path) =>
    asking((session) =>
      Effect.gen(function* () {
        const document = yield* session.send(path)
        const answer = yield* session.ask(codeLens, { textDocument: { uri: document.uri } }, document)
        const given: ReadonlyArray<unknown> = Array.isArray(answer) ? answer : []
        const resolves = isResolvable(session, codeLens, document)
        const resolved = yield* Effect.forEach(
          given,
          (lens, index) =>
            resolves && index < mostResolved && Predicate.isObject(lens) && !("command" in lens)
              ? Effect.orElseSucceed(session.ask("codeLens/resolve", lens, document), () => lens)
              : Effect.succeed(lens),
          { concurrency: 8 }
        )
        const lenses = yield* Reading.list(session, codeLens, readLens, resolved)
        return lenses.map(({ command, range }): CodeLens => ({
          range,
          ...(command !== undefined && { command: commandOf(command) })
        }))
      })
    ),
  executeCommand: (command, args = []) =>
    asking((session) => session.ask("workspace/executeCommand", { command, arguments: args }), { once: true })
})
