/** Drives one thread during one life of the server. Two clients send, answer, stop and watch. */
import { optionOf } from "@signalbox/contracts/AgentRequest"
import type { RequestId, TurnId } from "@signalbox/contracts/Ids"
import type { ThreadView } from "@signalbox/contracts/ThreadView"
import { hasEnded, isRunning } from "@signalbox/threads/TurnState"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Stream from "effect/Stream"
import * as Commands from "./Commands.ts"
import type { Connection } from "./Connection.ts"
import * as Convergence from "./Convergence.ts"
import type { Sight } from "./KillPoint.ts"
import * as Removal from "./Removal.ts"
import type { PlannedTurn } from "./Scenario.ts"
import type { Stage } from "./Stage.ts"
import type { SentCommand, Story } from "./Story.ts"
import { Watcher } from "./Watcher.ts"

/** One thread in one life. */
interface Part extends Stage {
  readonly story: Story
  readonly watcher: Watcher
}

/** How long a thread may take to come to rest: Stop may need 8 seconds, and a kill of the process after that. */
const restWithin = "40 seconds"

/** Returns when the thread is at rest, or gone. `watcher` keeps what the first client saw, however this ends. */
export const play = (story: Story, watcher: Watcher, stage: Stage) => {
  const { removal } = story.scenario
  if (story.removal !== "none") return Removal.remove(story, stage)
  const living = live(story, watcher, stage).pipe(
    Effect.catch((error) => {
      // The connection is gone. Whoever ended the server reports why.
      if (error._tag === "RpcClientError") return Effect.fail(error)
      // Commands fail once the thread is deleted.
      if (story.removal === "none") story.refusals.push(`life ${stage.life}: ${error.message}`)
      return Effect.void
    })
  )
  if (removal?.life !== stage.life) return living
  return Effect.raceFirst(
    Effect.andThen(living, Effect.never),
    Effect.andThen(
      watcher.until(() => true),
      Effect.andThen(Effect.sleep(removal.afterMs), Removal.remove(story, stage))
    )
  )
}

const live = Effect.fnUntraced(function* (story: Story, watcher: Watcher, stage: Stage) {
  const part: Part = { ...stage, story, watcher }
  const { clients, life, see } = stage
  const [first, second] = clients
  const { manners, provider, providerOptions, seed, turns } = story.scenario

  // The server takes up what was left in a thread even when no client watches it.
  if ((seed + life) % 4 === 1 && !(yield* takenUp(story, stage)))
    story.stuck.push(`life ${life}: what was left is ${stage.list.row(story.scenario.threadId)?.status} and stays so`)
  yield* Commands.repeat(story, first)
  if (!story.sent.some(({ command }) => command.type === "thread.create")) {
    const create = { type: "thread.create" as const, provider, providerOptions, cwd: stage.project }
    yield* Commands.send(story, life, first, create)
  }
  // A queue that was held when the server died is held until a person resumes it.
  yield* Effect.forkScoped(letGo(part))
  if (story.sent.some(({ command }) => command.type === "queue.hold"))
    yield* Commands.send(story, life, first, { type: "queue.hold", held: false })
  watcher.onFrame(sightsIn(watcher, see))
  yield* Effect.forkScoped(follow(first, part, watcher))
  const other = new Watcher(story.bookmark)
  yield* Effect.addFinalizer(() => Effect.sync(() => story.gaps.push(...watcher.faults, ...other.faults)))
  yield* Effect.forkScoped(followRestlessly(second, part, other))
  const view = yield* Effect.timeoutOption(
    watcher.until(() => true),
    restWithin
  )
  if (Option.isNone(view)) return void story.stuck.push(`life ${life}: nothing was seen of the thread`)
  yield* cross(part, view.value)

  yield* Effect.forkScoped(answer(part))
  // Prompts that waited when the server died run by themselves. Some threads wait for that before they ask anything new.
  const isPatient = (seed + life) % 3 === 0
  if (isPatient) {
    for (const turn of turns.slice(0, life).flat()) yield* Effect.forkScoped(stop(turn, part))
    yield* rest(part, 0)
  }
  const manner = manners[life]
  if (manner?.type === "rearranged") yield* Commands.send(story, life, first, { type: "queue.hold", held: true })
  for (const [index, turn] of (turns[life] ?? []).entries()) {
    const prompt = [{ type: "text" as const, text: turn.prompt }] as const
    const steer = manner?.type === "steered" && index > 0 && { steer: true as const }
    const command = { type: "turn.start" as const, turnId: turn.turnId, prompt, ...steer }
    const { type } = turn.twice
      ? yield* Commands.sendTwice(story, life, clients, command, turn.commandId)
      : yield* Commands.send(story, life, first, command, turn.commandId)
    if (type === "accepted") see("turn accepted")
    yield* Effect.forkScoped(takeBack(turn, part))
  }
  if (manner?.type === "rearranged") yield* rearrange(turns[life] ?? [], manner.heldForMs, part)
  // Turns of earlier lives count too: a prompt that waited then may run only now.
  for (const turn of turns.slice(isPatient ? life : 0, life + 1).flat()) yield* Effect.forkScoped(stop(turn, part))

  const told = story.sent.reduce((latest, sent) => Math.max(latest, sent.life === life ? receiptOf(sent) : 0), 0)
  if (yield* rest(part, told)) yield* converge(part, other)
  else story.last = watcher.view
}, Effect.scoped)

/** Waits until this server has run or settled what it found, as the thread list shows it. Returns whether it has. */
const takenUp = Effect.fnUntraced(function* ({ scenario }: Story, { began, list }: Stage) {
  const isLeft = () => {
    const { held, status, turnStartedAt = 0 } = list.row(scenario.threadId) ?? {}
    if (status === undefined || hasEnded(status)) return false
    return status === "queued" ? !held : turnStartedAt < began
  }
  const until = performance.now() + takenUpWithin
  while (isLeft() && performance.now() < until) yield* Effect.sleep("50 millis")
  return !isLeft()
})

/** An agent takes a moment to start, longer when it has crashed before, and much longer on a busy machine. */
const takenUpWithin = 60_000

/** Waits until the thread is at rest and `told` has arrived. Returns whether both came true. */
const rest = Effect.fnUntraced(function* ({ life, story, watcher }: Part, told: number) {
  const reached = yield* Effect.timeoutOption(
    watcher.until((view) => view.sequence >= told && isAtRest(view)),
    restWithin
  )
  if (Option.isSome(reached)) return true
  story.stuck.push(`life ${life}: ${goingOn(watcher.view)}`)
  return false
})

const receiptOf = ({ outcome }: SentCommand): number => (outcome.type === "accepted" ? outcome.sequence : 0)

const isAtRest = ({ requests, turns }: ThreadView): boolean =>
  turns.every(({ status }) => hasEnded(status)) && requests.length === 0

const goingOn = (view: ThreadView | undefined): string => {
  if (view === undefined) return "nothing"
  const turns = view.turns.filter(({ status }) => !hasEnded(status))
  return [
    ...turns.map(({ status, turnId }) => `${turnId} is ${status}`),
    ...view.requests.map(({ request }) => `request ${request.requestId} is open`)
  ].join(", ")
}

/** Records the first view of the thread after a restart. Then it tries to answer requests from before it, which must be refused. */
const cross = Effect.fnUntraced(function* ({ clients, life, story }: Part, after: ThreadView) {
  const { before } = story
  if (before === undefined) return
  story.before = undefined
  story.crossings.push({ before, after })
  for (const { request } of before.view.requests) {
    if (request.type !== "approval") continue
    const response = optionOf(request, "go")
    const command = { type: "request.respond" as const, requestId: request.requestId, response }
    story.lateAnswers.push(yield* Commands.send(story, life, clients[0], command))
  }
})

const follow = (client: Connection, { story }: Part, watcher: Watcher) =>
  client.watchThread({ threadId: story.scenario.threadId }).pipe(
    Stream.runForEach((frame) => Effect.sync(() => watcher.take(frame))),
    Effect.ignoreCause
  )

/** Disconnects after a while and continues from its last position, again and again. It begins at its position before the server died. */
const followRestlessly = Effect.fnUntraced(function* (client: Connection, { story }: Part, watcher: Watcher) {
  const { seed, threadId } = story.scenario
  for (let round = 0; ; round++) {
    const { position } = watcher
    const visit = client.watchThread({ threadId, ...(position && { after: position }) }).pipe(
      Stream.runForEach((frame) =>
        Effect.sync(() => {
          watcher.take(frame)
          story.bookmark = watcher.bookmark
        })
      ),
      Effect.ignoreCause
    )
    const stay = 50 + ((seed * 131 + round * 97) % 900)
    yield* round < 4 ? Effect.timeoutOption(visit, stay) : visit
  }
})

/** Reports the new events in each frame. */
const sightsIn = (watcher: Watcher, see: (sight: Sight) => void) => {
  const begun = new Set<string>()
  const open = new Set<string>()
  const ended = new Set<string>(watcher.view?.turns.map(({ turnId }) => turnId))
  let pieces = 0
  let looked = performance.now()
  return () => {
    if (watcher.view === undefined) return
    for (const itemId of watcher.growth.keys()) if (added(begun, itemId)) see("first text")
    const total = [...watcher.growth.values()].reduce((sum, growth) => sum + growth.length, 0)
    if (watcher.isDueSince(looked)) see("text due")
    looked = performance.now()
    for (; pieces < total; pieces++) see("more text")
    for (const { request } of watcher.view.requests) if (added(open, request.requestId)) see("request open")
    for (const { status, turnId } of watcher.view.turns) if (hasEnded(status) && added(ended, turnId)) see("turn ended")
  }
}

const added = (set: Set<string>, value: string): boolean => set.size < set.add(value).size

/** Takes a prompt back as soon as it was sent, or when the agent has got it. */
const takeBack = Effect.fnUntraced(function* ({ takenBack, turnId }: PlannedTurn, part: Part) {
  const { clients, life, story, watcher } = part
  if (takenBack === undefined) return
  if (takenBack === "too late") yield* watcher.until(isAtWork(turnId))
  yield* Commands.send(story, life, clients[0], { type: "turn.interrupt", turnId, ifQueued: true })
})

/** Changes the first prompt of a held queue, puts the last one before it, and resumes the queue. */
const rearrange = Effect.fnUntraced(function* (
  turns: ReadonlyArray<PlannedTurn>,
  heldForMs: number,
  { clients, life, story }: Part
) {
  const [first] = turns
  const last = turns.at(-1)
  const [, client] = clients
  if (first !== undefined && last !== undefined) {
    const prompt = [{ type: "text" as const, text: changed(first) }] as const
    yield* Commands.send(story, life, client, { type: "turn.edit", turnId: first.turnId, prompt })
    yield* Commands.send(story, life, client, { type: "turn.move", turnId: last.turnId, before: first.turnId })
  }
  yield* Effect.sleep(heldForMs)
  yield* Commands.send(story, life, client, { type: "queue.hold", held: false })
})

/** A changed text of a prompt that the agent understands in the same way. */
const changed = ({ prompt }: PlannedTurn): string => ` ${prompt}  `

const isAtWork =
  (turnId: TurnId) =>
  ({ turns }: ThreadView): boolean =>
    turns.some((turn) => turn.turnId === turnId && isRunning(turn.status))

/** Resumes the queue when a turn that did not end well holds it. */
const letGo = Effect.fnUntraced(function* ({ clients, life, story, watcher }: Part) {
  while (true) {
    yield* watcher.until(({ heldBy }) => heldBy !== undefined)
    yield* Commands.send(story, life, clients[0], { type: "queue.hold", held: false })
    yield* watcher.until(({ heldBy }) => heldBy === undefined)
  }
})

/** Presses Stop on a turn that is to be stopped. */
const stop = Effect.fnUntraced(function* (turn: PlannedTurn, { clients, life, see, story, watcher }: Part) {
  const { stopAfterMs, stops, turnId } = turn
  if (stopAfterMs === undefined) return
  yield* watcher.until(isAtWork(turnId))
  yield* Effect.sleep(stopAfterMs)
  see("stop sent")
  const command = stops === "turn" ? { type: "turn.interrupt" as const, turnId } : { type: "session.stop" as const }
  const { type } = yield* Commands.send(story, life, clients[0], command)
  if (type !== "accepted") return
  see("stop accepted")
  const began = performance.now()
  yield* watcher.until(({ turns }) => turns.every((other) => other.turnId !== turnId || hasEnded(other.status)))
  story.stops.push({ turnId, tookMs: performance.now() - began })
})

/** Answers every request after its planned delay. Contested requests get different answers from both clients. */
const answer = Effect.fnUntraced(function* (part: Part) {
  const { clients, life, see, story, watcher } = part
  const plans = story.scenario.turns.flat()
  const answered = new Set<RequestId>()
  while (true) {
    const { requests } = yield* watcher.until((view) =>
      view.requests.some((open) => !open.answered && !answered.has(open.request.requestId))
    )
    for (const { request, turnId } of requests) {
      if (request.type !== "approval" || answered.has(request.requestId)) continue
      answered.add(request.requestId)
      const plan = plans.find((turn) => turn.turnId === turnId)
      const [one, two] = request.options
      if (one === undefined) continue
      const from = (client: Connection, { optionId }: typeof one) =>
        Effect.gen(function* () {
          const response = optionOf(request, optionId)
          const command = { type: "request.respond" as const, requestId: request.requestId, response }
          see("answer sent")
          const { type } = yield* Commands.send(story, life, client, command)
          if (type === "accepted") see("answer accepted")
        })
      yield* Effect.sleep(plan?.answerAfterMs ?? 0).pipe(
        Effect.andThen(
          plan?.contested === true && two
            ? Effect.all([from(clients[1], two), from(clients[0], one)], { concurrency: 2 })
            : from(clients[0], one)
        ),
        Effect.forkChild
      )
    }
  }
})

const converge = Effect.fnUntraced(function* ({ clients, life, list, story, watcher }: Part, other: Watcher) {
  const { threadId, turns } = story.scenario
  const watchers = new Map([
    ["the steady client", watcher],
    ["the restless client", other]
  ])
  const { differing, view } = yield* Convergence.look({ threadId, watchers, list, client: clients[1] })
  story.last = view
  story.differences.push(...differing.map((who) => `life ${life}: ${who} sees something else than a new client`))
  if (view === undefined) return
  const spoiled = yield* Convergence.spoiledTexts(clients[0], view, turns.flat())
  story.spoiled.push(...spoiled.map((what) => `life ${life}: ${what}`))
})
