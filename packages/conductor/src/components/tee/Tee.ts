/** A proxy that writes every message to a file, and changes none. It shows what passes at its place in a chain. */
import * as AcpProxy from "@signalbox/acp/AcpProxy"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import { mkdir } from "node:fs/promises"
import { join } from "node:path"
import type { BuiltInComponent, Run } from "../../BuiltInComponent.ts"
import * as TraceFile from "../../TraceFile.ts"
import * as MessageTap from "./MessageTap.ts"
import * as TeeOptions from "./TeeOptions.ts"

/** Whether it can be made is seen when the files are opened. */
const makeFolder = (path: string) =>
  Effect.ignore(Effect.tryPromise(() => mkdir(path, { recursive: true, mode: 0o700 })))

const run = ({ logInput, logOutput, logPath }: TeeOptions.TeeOptions, log: (line: string) => void): Run =>
  Effect.fnUntraced(function* (link) {
    const clock = yield* Clock.Clock
    const file = (name: string) => {
      const path = join(logPath, name)
      const lost = (why: string) => log(`${path} is not written: ${why}. Messages still pass.`)
      return TraceFile.make(path, lost, "append").pipe(
        Effect.catch(({ message }) =>
          Effect.as(
            Effect.sync(() => lost(message)),
            undefined
          )
        )
      )
    }
    yield* makeFolder(logPath)
    const files = {
      downstream: logInput ? yield* file("log_in.txt") : undefined,
      upstream: logOutput ? yield* file("log_out.txt") : undefined
    }
    const tapped = MessageTap.make(link, (direction, message) => {
      const timestamp = new Date(clock.currentTimeMillisUnsafe()).toISOString()
      files[direction]?.(`{"timestamp":"${timestamp}","direction":"${direction}","message":${message}}`)
    })
    const { closed } = yield* AcpProxy.make<never>(tapped)
    yield* closed
  })

export const tee: BuiltInComponent = {
  name: "tee",
  summary: "Writes what passes to log_in.txt and log_out.txt",
  usage: "--log-path FOLDER, --no-log-input, --no-log-output",
  offersServers: false,
  make: ({ args, log }) => Result.map(TeeOptions.parse(args), (options) => run(options, log))
}
