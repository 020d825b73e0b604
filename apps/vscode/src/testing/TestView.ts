/** A view for tests: it is shown, hidden and killed as an editor does it, and speaks with the extension as the chat does. */
import * as CurrentClient from "@signalbox/client/CurrentClient"
import { persistently } from "@signalbox/client/Persistence"
import type { Watched } from "@signalbox/client/WatchedThread"
import type { ThreadCommand } from "@signalbox/contracts/Command"
import { CommandId, type ThreadId } from "@signalbox/contracts/Ids"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import { randomUUID } from "node:crypto"
import * as ViewSession from "../view/ViewSession.ts"
import * as TestDocument from "./TestDocument.ts"

export interface TestView {
  /** Makes a new document, as an editor does for a view that is shown. */
  readonly show: () => void
  /** The document is gone, and the extension hears of it. */
  readonly hide: () => void
  /** The document is gone, and nobody hears of it. */
  readonly crash: () => void
  /** Follows the thread in every document from the next one on. */
  readonly watch: (threadId: ThreadId) => void
  /** What the present document has of a thread. Undefined where there is no document. */
  readonly state: (threadId: ThreadId) => Watched | undefined
  /** Sends a command once, from the document that is there then. Rejects where it is refused. */
  readonly send: (threadId: ThreadId, command: ThreadCommand) => Promise<void>
  /** Resolves with the thread when the document has it in such a state. */
  readonly until: (threadId: ThreadId, is: (watched: Watched) => boolean) => Promise<Watched>
}

interface Present {
  readonly document: TestDocument.TestDocument
  readonly fiber: Fiber.Fiber<never>
  readonly states: Map<ThreadId, Watched>
}

export const make = (host: ViewSession.Host): TestView => {
  let present: Present | undefined
  /** The client of the present document, whichever that is. */
  const current = CurrentClient.make()
  const threads = new Set<ThreadId>()
  const waiting = new Set<() => void>()
  const look = (): void => {
    for (const one of waiting) one()
  }
  const session = ViewSession.make(host, {
    post: async (message) => {
      // An editor delivers later, and to nobody where the document is gone.
      await Promise.resolve()
      present?.document.take(message)
      return present !== undefined
    },
    reload: () => {}
  })
  const drop = (): void => {
    const { fiber } = present ?? {}
    present = undefined
    current.set(undefined)
    if (fiber !== undefined) Effect.runFork(Fiber.interrupt(fiber))
  }
  const show = (): void => {
    drop()
    const states = new Map<ThreadId, Watched>()
    const document = TestDocument.make({
      threads: [...threads],
      tell: session.take,
      onClient: (client) => {
        // An earlier document ends behind its back.
        if (present?.document === document) current.set(client)
      },
      onThread: (threadId, watched) => {
        states.set(threadId, watched)
        look()
      }
    })
    session.take({ type: "ready" })
    present = { document, states, fiber: Effect.runFork(document.run) }
    look()
  }
  return {
    show,
    hide: () => {
      drop()
      session.leave()
    },
    crash: drop,
    watch: (threadId) => void threads.add(threadId),
    state: (threadId) => present?.states.get(threadId),
    send: (threadId, command) => {
      const commandId = CommandId.make(randomUUID())
      return Effect.runPromise(
        Effect.asVoid(persistently(current.after)((client) => client.send({ commandId, threadId, command })))
      )
    },
    until: (threadId, is) =>
      new Promise((resolve) => {
        const one = (): void => {
          const watched = present?.states.get(threadId)
          if (watched === undefined || !is(watched)) return
          waiting.delete(one)
          resolve(watched)
        }
        waiting.add(one)
        one()
      })
  }
}
