/** What an editor sends: the parts of its messages that `signalbox nes lsp` reads. */
import { RpcError } from "@signalbox/acp/JsonRpc"
import * as Lenient from "@signalbox/acp/Lenient"
import { Position, Range } from "@signalbox/acp/Positions"
import * as Wire from "@signalbox/acp/Wire"
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import * as Schema from "effect/Schema"

const document = Schema.Struct({ uri: Schema.String })

/** Editors that are older than version 3.16 of the protocol may send `null` as a version. */
const versioned = Schema.Struct({ uri: Schema.String, version: Wire.lenient(Schema.NullOr(Wire.integer)) })

const present = Wire.lenient(Schema.NullOr(Schema.Struct({})))
const supported = Wire.lenient(Schema.NullOr(Schema.Boolean))

export const Initialize = Schema.Struct({
  rootPath: Wire.lenient(Schema.NullOr(Schema.String)),
  rootUri: Wire.lenient(Schema.NullOr(Schema.String)),
  workspaceFolders: Wire.lenient(Schema.NullOr(Wire.skipInvalid(document))),
  clientInfo: Wire.lenient(Schema.NullOr(Schema.Struct({ name: Schema.String }))),
  capabilities: Wire.lenient(
    Schema.Struct({
      textDocument: Wire.lenient(
        Schema.Struct({
          inlineCompletion: present,
          codeAction: Wire.lenient(Schema.Struct({ codeActionLiteralSupport: present }))
        })
      ),
      workspace: Wire.lenient(
        Schema.Struct({
          applyEdit: supported,
          workspaceEdit: Wire.lenient(Schema.Struct({ documentChanges: supported }))
        })
      ),
      window: Wire.lenient(
        Schema.Struct({ showDocument: Wire.lenient(Schema.NullOr(Schema.Struct({ support: supported }))) })
      )
    })
  )
})

export const DidOpen = Schema.Struct({
  textDocument: Schema.Struct({
    uri: Schema.String,
    languageId: Schema.String,
    version: Wire.integer,
    text: Schema.String
  })
})

export const DidChange = Schema.Struct({
  textDocument: versioned,
  contentChanges: Schema.Array(
    Schema.Struct({ range: Schema.optionalKey(Schema.UndefinedOr(Range)), text: Schema.String })
  )
})

export const OfDocument = Schema.Struct({ textDocument: document })

export const InlineCompletion = Schema.Struct({
  textDocument: document,
  position: Position,
  context: Wire.lenient(Schema.Struct({ triggerKind: Wire.lenient(Wire.integer) }))
})

export const CodeAction = Schema.Struct({
  textDocument: document,
  range: Range,
  context: Schema.Struct({
    diagnostics: Wire.lenient(
      Wire.skipInvalid(Schema.Struct({ range: Range, severity: Wire.lenient(Wire.integer), message: Schema.String }))
    ),
    only: Wire.lenient(Schema.NullOr(Schema.Array(Schema.String))),
    triggerKind: Wire.lenient(Wire.integer)
  })
})

export const ExecuteCommand = Schema.Struct({
  command: Schema.String,
  arguments: Wire.lenient(Schema.NullOr(Schema.Array(Schema.Unknown)))
})

/** The answer to `workspace/applyEdit`. */
export const Applied = Schema.Struct({ applied: Schema.Boolean })
/** The answer to `window/showDocument`. */
export const Shown = Schema.Struct({ success: Schema.Boolean })

/** Reads parameters of a request. The failure is what the editor gets as the answer. */
export const reader = <A>(schema: Schema.Codec<A, unknown>): ((params: unknown) => Effect.Effect<A, RpcError>) => {
  const read = Lenient.reader(schema)
  return (params) => {
    const reading = read(params)
    return Result.isSuccess(reading)
      ? Effect.succeed(reading.success.value)
      : Effect.fail(RpcError.invalidParams(reading.failure))
  }
}
