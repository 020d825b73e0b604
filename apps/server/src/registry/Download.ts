/** Downloads a file, only from authenticated addresses, and with limits on size and time. */
import * as Effect from "effect/Effect"
import type * as Duration from "effect/Duration"
import * as Schema from "effect/Schema"
import type * as Scope from "effect/Scope"
import * as Stream from "effect/Stream"
import { messageOf } from "@signalbox/system/SystemError"
import * as DownloadAddress from "./DownloadAddress.ts"

export class DownloadFailed extends Schema.TaggedError<DownloadFailed>()("DownloadFailed", {
  /** One sentence. */
  message: Schema.String
}) {}

export interface Limits {
  /** The largest download in bytes. */
  readonly bytes: number
  /** The longest pause without any bytes. */
  readonly silence: Duration.Input
}

export interface Download {
  /** The size in bytes, if the server has reported it. */
  readonly total: number | undefined
  /** The content. Fails if it is shorter than reported, or longer than allowed. */
  readonly bytes: Stream.Stream<Uint8Array, DownloadFailed>
}

const maxRedirects = 5

const failed = (message: string): DownloadFailed => new DownloadFailed({ message })

/** Opens a download. It ends with the scope. */
export const open = Effect.fn("Download.open")(function* (
  address: string,
  limits: Limits
): Effect.fn.Return<Download, DownloadFailed, Scope.Scope> {
  const response = yield* reached(address, limits, 0)
  if (!response.ok) return yield* failed(`${address} answered ${response.status}.`)
  const length = Number(response.headers.get("content-length") ?? Number.NaN)
  const total = Number.isSafeInteger(length) ? length : undefined
  if (total !== undefined && total > limits.bytes) return yield* tooLong(address, limits)
  const { body } = response
  if (body === null) return yield* failed(`${address} answered with nothing.`)
  let received = 0
  const bytes = Stream.fromReadableStream<Uint8Array, DownloadFailed>({
    evaluate: () => body,
    onError: (error) => failed(`The connection to ${address} broke: ${reasonOf(error)}`)
  }).pipe(
    Stream.timeoutOrElse({
      duration: limits.silence,
      orElse: () => Stream.fail(failed(`Nothing more came from ${address}.`))
    }),
    Stream.tap((chunk) => {
      received += chunk.length
      return received > limits.bytes ? tooLong(address, limits) : Effect.void
    }),
    Stream.concat(
      Stream.suspend(() =>
        total === undefined || received === total
          ? Stream.empty
          : Stream.fail(failed(`${address} sent ${received} bytes of the ${total} that it had promised.`))
      )
    )
  )
  return { total, bytes }
})

/** Follows redirects, and checks each address on the way. */
const reached = (address: string, limits: Limits, hops: number): Effect.Effect<Response, DownloadFailed, Scope.Scope> =>
  Effect.gen(function* () {
    const refusal = DownloadAddress.refusal(address)
    if (refusal !== undefined) return yield* failed(refusal)
    if (hops > maxRedirects) return yield* failed(`${address} leads on and on.`)
    const response = yield* request(address, limits)
    const location = response.headers.get("location")
    if (response.status < 300 || response.status >= 400 || location === null) return response
    yield* Effect.promise(async () => response.body?.cancel())
    if (!URL.canParse(location, address)) return yield* failed(`${address} leads to ${location}, which is no address.`)
    return yield* reached(new URL(location, address).href, limits, hops + 1)
  })

const request = (address: string, { silence }: Limits) =>
  Effect.flatMap(
    Effect.acquireRelease(
      Effect.sync(() => new AbortController()),
      (controller) => Effect.sync(() => controller.abort())
    ),
    ({ signal }) =>
      Effect.tryPromise({
        // Uncompressed transfer: the checksum is that of the stored file.
        try: () => fetch(address, { signal, redirect: "manual", headers: { "accept-encoding": "identity" } }),
        catch: (error) => failed(`${address} can't be reached: ${reasonOf(error)}`)
      })
  ).pipe(Effect.timeoutOrElse({ duration: silence, orElse: () => Effect.fail(failed(`${address} does not answer.`)) }))

const tooLong = (address: string, { bytes }: Limits) =>
  failed(`${address} sends more than the ${Math.round(bytes / 1024 / 1024)} MiB that are taken.`)

/** The reason of a failed `fetch`, which is only in the error's cause. */
const reasonOf = (error: unknown): string => {
  const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error
  return messageOf(cause)
}
