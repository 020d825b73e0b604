/** What Copilot's language server answers, as its README documents it, read leniently. Positions are in UTF-16 units. */
import * as Lenient from "@signalbox/acp/Lenient"
import { Range } from "@signalbox/acp/Positions"
import * as Wire from "@signalbox/acp/Wire"
import * as Schema from "effect/Schema"

/** A command of the server, to be sent back as it came. */
export const Command = Schema.Struct({
  command: Schema.String,
  arguments: Wire.lenient(Schema.NullOr(Schema.Array(Schema.Unknown)))
})
export type Command = typeof Command.Type

/** The document that an edit is for, and the version of its text. */
const Document = Schema.Struct({ uri: Schema.String, version: Wire.lenient(Schema.NullOr(Wire.integer)) })

/** One suggestion. Several of one answer are alternatives. */
export const InlineEdit = Schema.Struct({
  text: Schema.String,
  range: Range,
  textDocument: Wire.lenient(Schema.NullOr(Document)),
  command: Wire.lenient(Schema.NullOr(Command))
})
export type InlineEdit = typeof InlineEdit.Type

const InlineEdits = Schema.Struct({ edits: Wire.skipInvalid(InlineEdit) })

/** `AlreadySignedIn`, or a code that people enter in their browser, and the command that opens it. */
const SignIn = Schema.Struct({
  status: Wire.lenient(Schema.NullOr(Schema.String)),
  userCode: Wire.lenient(Schema.NullOr(Schema.String)),
  command: Wire.lenient(Schema.NullOr(Command))
})
export type SignIn = typeof SignIn.Type

/** `Normal`, `Error` (nobody is signed in), `Warning` or `Inactive`. */
const Status = Schema.Struct({
  kind: Schema.String,
  message: Wire.lenient(Schema.NullOr(Schema.String))
})
export type Status = typeof Status.Type

export const readEdits = Lenient.reader(InlineEdits)
export const readSignIn = Lenient.reader(SignIn)
export const readStatus = Lenient.reader(Status)
