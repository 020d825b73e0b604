/** Asks a server whether it is well. */
import * as Effect from "effect/Effect"
import { get } from "node:http"

/**
 * Whether the server at `url` says that it is well. Fails where nothing answers. It does not use `fetch`: in an extension of VS Code, the
 * first `fetch` reads all certificates of the machine.
 */
export const isWell = (url: string): Effect.Effect<boolean, Error> =>
  Effect.callback((resume, signal) => {
    const request = get(`${url}/health`, { agent: false, signal }, (response) => {
      response.resume()
      resume(Effect.succeed(response.statusCode === 200))
    })
    request.on("error", (error) => resume(Effect.fail(error)))
  })
