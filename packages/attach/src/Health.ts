/** Asks a server whether it is well. */
import type * as Cause from "effect/Cause"
import * as Effect from "effect/Effect"
import { get } from "node:http"

/**
 * Whether the server at `url` says that it is well. Fails where nothing answers. It does not use `fetch`: in an extension of VS Code, the
 * first `fetch` reads all certificates of the machine.
 */
export const isWell = (url: string): Effect.Effect<boolean, Cause.UnknownError> =>
  Effect.tryPromise(
    (signal) =>
      new Promise<boolean>((resolve, reject) => {
        // An address that is none throws here, which rejects.
        const request = get(`${url}/health`, { agent: false, signal }, (response) => {
          response.resume()
          resolve(response.statusCode === 200)
        })
        request.on("error", reject)
      })
  )
