/** The header of a message: one field a line, and an empty line behind them (LSP, base protocol). */
import * as Result from "effect/Result"
import { FramingError } from "./FramingError.ts"

/** Most bytes of a header, with its empty line. Two short fields are usual. */
export const maxHeaderBytes = 4096

/** Characters of foreign text that an error quotes. */
const quoted = 60

const failure = (reason: FramingError["reason"], message: string) => Result.fail(new FramingError({ reason, message }))

const quote = (text: string): string => JSON.stringify(text.length > quoted ? `${text.slice(0, quoted)}…` : text)

/** A field's name: what RFC 9110 §5.6.2 calls a token. */
const token = /^[!#$%&'*+\-.^_`|~0-9A-Za-z]+$/
const digits = /^[0-9]{1,15}$/

/** The charset that a content type names, in lower case. `utf8` is an old spelling that the protocol keeps. */
const charsetOf = (contentType: string): string | undefined => {
  for (const parameter of contentType.toLowerCase().split(";").slice(1)) {
    const [name = "", value = ""] = parameter.split("=")
    if (name.trim() === "charset") return value.trim().replaceAll('"', "")
  }
  return undefined
}

/** Reads the length of the body. `header` ends before its empty line. Fields that nobody knows are passed over. */
export const readLength = (header: string, maxBodyBytes: number): Result.Result<number, FramingError> => {
  let length: number | undefined
  for (const line of header.split("\r\n")) {
    const colon = line.indexOf(":")
    const name = line.slice(0, Math.max(0, colon))
    if (!token.test(name)) return failure("MalformedHeader", `This is no field of a header: ${quote(line)}`)
    const value = line.slice(colon + 1).trim()
    const field = name.toLowerCase()
    if (field === "content-type") {
      const charset = charsetOf(value) ?? "utf-8"
      if (charset !== "utf-8" && charset !== "utf8")
        return failure("CharsetUnknown", `Messages are UTF-8, but the header says ${quote(charset)}`)
    }
    if (field !== "content-length") continue
    if (length !== undefined) return failure("LengthRepeated", "The header states Content-Length twice")
    if (!digits.test(value)) return failure("LengthInvalid", `Content-Length is no number of bytes: ${quote(value)}`)
    length = Number(value)
  }
  if (length === undefined) return failure("LengthMissing", `The header states no Content-Length: ${quote(header)}`)
  if (length > maxBodyBytes)
    return failure("BodyTooLong", `A message of ${length} bytes is above the limit of ${maxBodyBytes}`)
  return Result.succeed(length)
}
