/** What an editor does for the agent of a thread that it has open: reads and writes of files, programs in terminals, questions about code. */
import * as Schema from "effect/Schema"
import { methods } from "./IdeOperation.ts"
import { ThreadId } from "./Ids.ts"

/** What an editor offers, as it has said in its `clientCapabilities`. */
export const EditorOffers = Schema.Struct({
  readTextFile: Schema.Boolean,
  writeTextFile: Schema.Boolean,
  terminal: Schema.Boolean,
  /** Answers questions about code (`IdeOperation`). */
  ideOperations: Schema.optionalKey(Schema.Boolean)
})
export type EditorOffers = typeof EditorOffers.Type

export type EditorAbility = keyof EditorOffers

/** An editor that has a thread open. `name`: for people. */
export const EditorAtThread = Schema.Struct({
  threadId: ThreadId,
  name: Schema.String.check(Schema.isMaxLength(100)),
  offers: EditorOffers
})

/** Minted by the server. */
export const EditorCallId = Schema.String.check(Schema.isMaxLength(64)).pipe(Schema.brand("EditorCallId"))
export type EditorCallId = typeof EditorCallId.Type

export const EditorMethod = Schema.Literals([
  "fs/read_text_file",
  "fs/write_text_file",
  "terminal/create",
  "terminal/output",
  "terminal/wait_for_exit",
  "terminal/kill",
  "terminal/release",
  methods.resolveSymbol,
  methods.references,
  methods.lsp,
  methods.diagnostics,
  methods.selection
])
export type EditorMethod = typeof EditorMethod.Type

/** A request to an editor. `params`: as in the protocol, with the thread's id as that of the session. */
export const EditorCall = Schema.Struct({
  type: Schema.tag("call"),
  callId: EditorCallId,
  method: EditorMethod,
  params: Schema.JsonObject,
  /** The id that a terminal of this call has in the thread. The editor's own id is another one. */
  terminalId: Schema.optionalKey(Schema.String),
  /** The folders of the session that a question about code is about; its own folder first. */
  folders: Schema.optionalKey(Schema.Array(Schema.String))
})
export type EditorCall = typeof EditorCall.Type

/** `attached`, once: from now on the editor is asked. `withdrawn`: nobody waits for the answer any more. */
export const EditorFrame = Schema.Union([
  Schema.Struct({ type: Schema.tag("attached") }),
  EditorCall,
  Schema.Struct({ type: Schema.tag("withdrawn"), callId: EditorCallId })
])
export type EditorFrame = typeof EditorFrame.Type

/** The most bytes of an answer as JSON. A longer message would end the connection. */
export const mostAnswerBytes = 24 * 1024 * 1024

export const EditorAnswer = Schema.Union([
  Schema.Struct({ type: Schema.tag("result"), result: Schema.Json }),
  Schema.Struct({
    type: Schema.tag("error"),
    code: Schema.Int,
    message: Schema.String,
    data: Schema.optionalKey(Schema.Json)
  })
])
export type EditorAnswer = typeof EditorAnswer.Type

/** `wasOpen`: false if nobody waited for the answer any more. */
export const EditorAnswered = Schema.Struct({ wasOpen: Schema.Boolean })
