/** The components of a chain: proxies with a habit, chains in one component, and how each of them dies. */
import * as AcpProxy from "@signalbox/acp/AcpProxy"
import type { MessageLink } from "@signalbox/acp/MessageLink"
import type { RawMessage } from "@signalbox/acp/RawMessage"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Latch from "effect/Latch"
import type * as Scope from "effect/Scope"
import * as Component from "../../src/Component.ts"
import * as Conductor from "../../src/Conductor.ts"
import { type Habit, type Member, nameOf } from "./Scenario.ts"
import * as Words from "./Words.ts"

/** The life of one component, in the hands of a test. */
export interface Life {
  readonly die: (how: "end" | "throw" | "stall") => void
  /** Whether it was started, and has not ended. */
  readonly lives: () => boolean
}

/** The lives of all components, by name. */
export type Lives = Map<string, Life>

/** A link whose requests have ids that begin with a name: an id that reaches another connection is nobody's there. */
export const withOwnIds = (link: MessageLink, name: string): MessageLink => {
  const own = (id: string) => JSON.stringify(`${name}-${id}`)
  const bare = (id: string) => (id.startsWith(`"${name}-`) ? id.slice(name.length + 2, -1) : `foreign ${id}`)
  const sent = (message: RawMessage): RawMessage =>
    message._tag === "Request" || message._tag === "Cancel" ? { ...message, id: own(message.id) } : message
  return {
    ...link,
    send: (message) => link.send(sent(message)),
    receive: (take) =>
      link.receive((batch) => take(batch.map((m) => (m._tag === "Response" ? { ...m, id: bare(m.id) } : m))))
  }
}

/** A component in this process that a test can end, break or stall. */
export const mortal = (
  lives: Lives,
  name: string,
  run: (link: MessageLink) => Effect.Effect<unknown, never, Scope.Scope>
): Component.Component => {
  const death = Deferred.makeUnsafe<void>()
  const flowing = Latch.makeUnsafe(true)
  let running = 0
  lives.set(name, {
    die: (how) => {
      if (how === "stall") flowing.closeUnsafe()
      else Deferred.doneUnsafe(death, how === "end" ? Exit.void : Exit.die(new Error("broken")))
    },
    lives: () => running > 0
  })
  return Component.inProcess(name, (link) =>
    Effect.gen(function* () {
      running += 1
      yield* Effect.addFinalizer(() => Effect.sync(() => (running -= 1)))
      const own = withOwnIds(link, name)
      const slow: MessageLink = {
        ...own,
        receive: (take) => own.receive((batch) => Effect.andThen(flowing.await, take(batch)))
      }
      return yield* Effect.raceFirst(run(slow), Deferred.await(death))
    })
  )
}

/** What a proxy with a habit intercepts: everything touched, in both directions. */
const interceptors = (habit: Habit, name: string): AcpProxy.Interceptors => {
  if (habit === "pass") return {}
  const requests: AcpProxy.Interceptors["clientRequests"] = {
    _touched: Effect.fnUntraced(function* (params, forward) {
      const asked = Words.read(params)
      if (Words.isAnswered(habit, asked.n)) return Words.words(asked.n, 0, name)
      if (habit !== "change") return yield* forward()
      return Words.changed(Words.read(yield* forward(Words.changed(asked, name))), name)
    })
  }
  const notifications: AcpProxy.Interceptors["clientNotifications"] = {
    _touched: (params, forward) => {
      const said = Words.read(params)
      if (Words.isKept(habit, said.n)) return Effect.void
      return habit === "change" ? forward(Words.changed(said, name)) : forward()
    }
  }
  return {
    clientRequests: requests,
    agentRequests: { _touched: requests._touched },
    clientNotifications: notifications,
    agentNotifications: { _touched: notifications._touched }
  }
}

/** A member of a chain as a component. */
export const component = (lives: Lives, member: Member, path: string): Component.Component => {
  const name = nameOf(member, path)
  if (typeof member === "string")
    return mortal(lives, name, (link) =>
      Effect.flatMap(
        AcpProxy.make(link, () => interceptors(member, name)),
        ({ closed }) => closed
      )
    )
  const proxies = member.nested.map((inner, at) => component(lives, inner, `${path}.${at}`))
  return mortal(lives, name, (link) =>
    Conductor.run(link, { mode: "proxy", assemble: () => Effect.succeed({ proxies }) })
  )
}
