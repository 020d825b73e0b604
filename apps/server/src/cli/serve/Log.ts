/** The program's own log: lines on stderr, in words. Stacks are printed only with `--log-level debug`. */
import * as Logger from "effect/Logger"
import * as LogLevel from "effect/LogLevel"
import * as References from "effect/References"
import * as LogRecord from "../../telemetry/LogRecord.ts"
import * as Redaction from "@signalbox/redaction/Redaction"
import * as Secrets from "@signalbox/redaction/Secrets"
import { oneLine, plain } from "../../base/Plain.ts"
import * as Terminal from "../terminal/Terminal.ts"

export const layer = Logger.layer([
  Logger.make<unknown, void>((options) => {
    const safe = (text: string) => Secrets.of(process.env).hide(Redaction.text(text))
    const { category, cause, details = {}, level, message, threadId, time } = LogRecord.of(options)
    const notes = Object.entries({ ...(threadId !== undefined && { threadId }), ...details }).map(
      ([name, value]) => `${name}=${typeof value === "string" ? value : JSON.stringify(value)}`
    )
    const line = safe([message, ...notes].join(" "))
    Terminal.err(`${time.slice(11, 23)} ${level.padEnd(5)} ${category}: ${oneLine(line, 1000)}`)
    const inFull = LogLevel.isLessThanOrEqualTo(options.fiber.getRef(References.MinimumLogLevel), "Debug")
    if (inFull && cause !== undefined) Terminal.err(plain(safe(cause)))
  })
])
