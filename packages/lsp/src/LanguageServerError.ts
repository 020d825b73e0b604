/** Why a language server does not answer, in words for people. */
import * as Schema from "effect/Schema"

/**
 * The message names the cause, the evidence and the next step.
 *
 * - `NoServer`: no definition knows the language of the file, or its folder.
 * - `NotFound`: the program is missing or can't be run.
 * - `StartFailed`: it ended, or wrote what is no message, before it had answered `initialize`.
 * - `NotReady`: it starts, or still reads its project.
 * - `Ended`: it ended while a question was open.
 * - `GivenUp`: it ended again and again.
 * - `TooManyServers`: all that may run are busy.
 * - `Unsupported`: it does not offer this feature.
 * - `TimedOut`: it did not answer in time.
 * - `Refused`: it answered with an error, whose code is `code`.
 * - `Malformed`: its answer has not the shape that the protocol says.
 * - `DocumentUnusable`: the file can't be read as text.
 * - `OutOfFolders`: the file is in none of the folders.
 * - `StaleVersion`: an editor's change has no greater version than the one before, or the document isn't open.
 */
export class LanguageServerError extends Schema.TaggedError<LanguageServerError>()("LanguageServerError", {
  reason: Schema.Literals([
    "NoServer",
    "NotFound",
    "StartFailed",
    "NotReady",
    "Ended",
    "GivenUp",
    "TooManyServers",
    "Unsupported",
    "TimedOut",
    "Refused",
    "Malformed",
    "DocumentUnusable",
    "OutOfFolders",
    "StaleVersion"
  ]),
  message: Schema.String,
  /** The id of the server's definition. */
  server: Schema.optionalKey(Schema.String),
  /** The code of the server's error, for `Refused`. */
  code: Schema.optionalKey(Schema.Finite)
}) {}
