/** Why a stream has no messages any more that can be found. The stream is lost then. */
import * as Schema from "effect/Schema"

/**
 * Bytes that are no message with a header (LSP, base protocol).
 *
 * - `HeaderTooLong`: no end of the header within its limit.
 * - `MalformedHeader`: a line of the header is no field, as when a program prints text between messages.
 * - `LengthMissing`, `LengthRepeated`, `LengthInvalid`: what stands in `Content-Length`.
 * - `CharsetUnknown`: `Content-Type` names another charset than UTF-8.
 * - `BodyTooLong`: the announced length is above the limit.
 * - `Cut`: the input ended within a message.
 */
export class FramingError extends Schema.TaggedError<FramingError>()("FramingError", {
  reason: Schema.Literals([
    "HeaderTooLong",
    "MalformedHeader",
    "LengthMissing",
    "LengthRepeated",
    "LengthInvalid",
    "CharsetUnknown",
    "BodyTooLong",
    "Cut"
  ]),
  message: Schema.String
}) {}
