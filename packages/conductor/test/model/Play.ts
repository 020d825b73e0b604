/** Plays a scenario: a chain in memory, its two ends, its clock, and the order of its tasks. Nothing in it is left to chance. */
import * as MessageLink from "@signalbox/acp/MessageLink"
import * as RawConnection from "@signalbox/acp/RawConnection"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import type * as Fiber from "effect/Fiber"
import * as Scope from "effect/Scope"
import * as TestClock from "effect/testing/TestClock"
import type { ChainFailure } from "../../src/ChainFailure.ts"
import * as Conductor from "../../src/Conductor.ts"
import * as End from "./End.ts"
import * as Member from "./Member.ts"
import { type By, leavesOf, type Scenario, type Step } from "./Scenario.ts"
import * as Tasks from "./Tasks.ts"

/** The dead, and at which moment of both ends. */
export interface Dead {
  /** The names of the members that it is part of, outermost first. */
  readonly within: ReadonlyArray<string>
  readonly how: "end" | "throw" | "stall"
  /** Whether the chain was ready. */
  readonly wasReady: boolean
  /** How much of the client's words the chain had read for sure. */
  readonly clientRead: number
}

export interface Played {
  readonly ends: { readonly [Name in By]: End.End }
  readonly dead: Dead | undefined
  /** How `initialize` was answered; undefined if it was not. */
  readonly initialized: RawConnection.Settled | undefined
  /** Requests that were cancelled while the other end had them open, by who cancelled, and that were not answered since. */
  readonly heldWhenCancelled: { readonly [Name in By]: ReadonlySet<number> }
  /** Requests that were cancelled before the chain was ready. */
  readonly cancelledEarly: ReadonlySet<number>
  /** What an end still waited for when everybody had answered everything. */
  readonly unanswered: ReadonlyArray<number>
  /** Whether the conductor ended before its client left. */
  readonly endedAlone: boolean
  /** What the conductor returned; `undefined` where it goes on. */
  readonly exit: Exit.Exit<ChainFailure | undefined> | undefined
  /** What connections could make nothing of. */
  readonly issues: ReadonlyArray<string>
  /** Components that still live when all is over. */
  readonly living: ReadonlyArray<string>
}

const other = { client: "agent", agent: "client" } as const

export const play = (scenario: Scenario): Played => {
  const tasks = Tasks.make(scenario.order)
  const scope = Scope.makeUnsafe()
  const clock = Effect.runSync(Scope.provide(TestClock.make(), scope))
  const fork = <A, E>(effect: Effect.Effect<A, E>): Fiber.Fiber<A, E> =>
    Effect.runFork(Effect.provideService(effect, Clock.Clock, clock), { scheduler: tasks.scheduler })
  const pass = (seconds: number): void => {
    for (let second = 0; second < seconds; second++) {
      fork(clock.adjust("1 second"))
      tasks.settle()
    }
  }

  const lives: Member.Lives = new Map()
  let isAgentReady = false
  const issues: Array<string> = []
  const onIssue = (from: string, issue: RawConnection.Issue) => void issues.push(`${from}: ${JSON.stringify(issue)}`)
  const agent = End.make("agent", onIssue, (respond) => {
    isAgentReady = true
    respond({ result: '{"protocolVersion":1}' })
  })
  const client = End.make("client", onIssue)
  const ends = { client, agent }
  const assembled: Conductor.Assembled = {
    proxies: scenario.members.map((member, at) => Member.component(lives, member, `.${at}`)),
    agent: Member.mortal(lives, "agent", (link) =>
      Effect.flatMap(RawConnection.make(link, agent.handlers), ({ closed }) => closed)
    )
  }

  const [near, far] = MessageLink.pair()
  const conductor = fork(
    Effect.scoped(Conductor.run(far, { mode: "agent", assemble: () => Effect.succeed(assembled), onIssue }))
  )
  fork(Scope.provide(RawConnection.make(Member.withOwnIds(near, "client"), client.handlers), scope))
  const connection = client.connection()
  let initialized: RawConnection.Settled | undefined
  connection.request({ side: "client", method: "initialize", params: '{"protocolVersion":1}' }, (settled) => {
    initialized = settled
  })
  if (!scenario.isEager) tasks.settle()

  let lastNumber = 0
  let clientRead = 0
  const cancelledEarly = new Set<number>()
  const held = { client: new Set<number>(), agent: new Set<number>() }
  const pick = <A>(from: Iterable<A>, which: number): A | undefined => {
    const all = [...from]
    return all[which % Math.max(all.length, 1)]
  }
  const answer = (by: By, n: number, isError: boolean, size: number): void => {
    // A cancellation that is still on its way comes too late.
    const asker = other[by]
    if (!ends[by].heard.some((each) => each.kind === "cancel" && each.n === n)) held[asker].delete(n)
    ends[by].answer(n, isError, size)
  }

  const take = (step: Step): void => {
    switch (step._tag) {
      case "Send":
        if (step.by === "client" || isAgentReady)
          ends[step.by].send((lastNumber += 1), step.isRequest, step.isTouched, step.size)
        return
      case "Answer": {
        const n = pick(ends[step.by].open.keys(), step.which)
        if (n !== undefined) answer(step.by, n, step.isError, step.size)
        return
      }
      case "Cancel": {
        const n = pick(ends[step.by].waiting.keys(), step.which)
        if (n === undefined || ends[step.by].cancelled.has(n)) return
        if (ends[other[step.by]].open.has(n)) held[step.by].add(n)
        if (initialized === undefined) cancelledEarly.add(n)
        ends[step.by].cancel(n)
        return
      }
      case "Run":
        return tasks.run(step.tasks)
      case "Settle":
        tasks.settle()
        clientRead = client.said.length
        return
    }
  }

  const { death } = scenario
  let dead: Dead | undefined
  const die = (): void => {
    if (death === null) return
    const leaf = pick([...leavesOf(scenario.members), { name: "agent", within: ["agent"] }], death.who)
    if (leaf === undefined) return
    const wasReady = initialized !== undefined
    dead = { within: leaf.within, how: death.how, wasReady, clientRead }
    lives.get(leaf.name)?.die(death.how)
  }
  for (const [at, step] of scenario.steps.entries()) {
    if (death !== null && death.before % scenario.steps.length === at) die()
    take(step)
  }
  tasks.settle()

  if (dead === undefined) {
    for (const by of ["agent", "client"] as const) for (const n of ends[by].open.keys()) ends[by].answer(n, false, 0)
    tasks.settle()
  }
  const unanswered = [...client.waiting.keys(), ...agent.waiting.keys()]
  // Longer than all that a chain waits for when it ends, and than it may take to begin.
  pass(initialized === undefined ? 130 : 8)
  const endedAlone = conductor.pollUnsafe() !== undefined
  fork(connection.close)
  tasks.settle()
  pass(8)
  const exit = conductor.pollUnsafe()
  const living = [...lives].flatMap(([name, life]) => (life.lives() ? [name] : []))
  fork(Scope.close(scope, Exit.void))
  tasks.settle()
  return {
    ends,
    dead,
    initialized,
    heldWhenCancelled: held,
    cancelledEarly,
    unanswered,
    endedAlone,
    exit,
    issues,
    living
  }
}
