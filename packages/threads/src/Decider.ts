/**
 * Decides about a command for a thread: events, or the problem that prevents it. Pure: everything else that it needs is
 * read before, and passed as facts.
 */
import * as Answering from "./Answering.ts"
import { type Decision, events, type Facts, refuse } from "./Decision.ts"
import type { ThreadCommand } from "@signalbox/contracts/Command"
import type { TurnId } from "@signalbox/contracts/Ids"
import type { Problem } from "@signalbox/contracts/Problem"
import type { SessionSetting, SettingValue } from "@signalbox/contracts/SessionSetting"
import * as SessionState from "./SessionState.ts"
import * as TurnQueue from "./TurnQueue.ts"
import { hasEnded } from "./TurnState.ts"
import type { OrchestrationEvent } from "@signalbox/contracts/ThreadEvent"
import type { ThreadHead, TurnView } from "@signalbox/contracts/ThreadView"
import * as Result from "effect/Result"
import * as Interjection from "./Interjection.ts"

/** Decides about a command. No events: the thread is in the requested state already. */
export const decide = (head: ThreadHead | undefined, command: ThreadCommand, facts: Facts): Decision => {
  const common = { threadId: facts.threadId, at: facts.now }
  if (command.type === "thread.create") return create(head, command, facts)
  if (head === undefined)
    return refuse("command-invalid", "There is no such thread.", `No thread is called ${facts.threadId}.`)
  switch (command.type) {
    case "thread.rename": {
      const title = command.title.trim()
      if (title === "")
        return refuse("command-invalid", "A title can't be empty.", "The new title has no letters in it.")
      return events({ type: "thread.renamed", ...common, title })
    }
    case "turn.start":
      return startTurn(head, command, facts)
    case "turn.interrupt":
      return interrupt(head, command, facts)
    case "turn.edit":
      return edit(head, command, facts)
    case "turn.move":
      return move(head, command, facts)
    case "queue.hold":
      if (command.transcript) return handOver(head, command, facts)
      // A turn's hold ends by itself; a person's does not.
      if (command.held === (head.held ?? false) && !(command.held && head.heldBy)) return events()
      return events({ type: "queue.held", ...common, held: command.held })
    case "request.respond":
      return Answering.respond(head, command, facts)
    case "setting.set": {
      const { settingId, value } = command
      const reason = head.session.state === "ready" ? whyNot(head.settings, settingId, value) : undefined
      if (reason !== undefined)
        return refuse("setting-rejected", `${settingId} can't be set to ${String(value)}.`, reason)
      const previous = head.desired[settingId]
      return events({
        type: "setting.requested",
        ...common,
        settingId,
        value,
        ...(previous !== undefined && { previous })
      })
    }
    case "mcp.choose": {
      const mcpServers = command.mcpServers === undefined ? undefined : [...new Set(command.mcpServers)]
      return events({ type: "mcp.chosen", ...common, ...(mcpServers !== undefined && { mcpServers }) })
    }
    case "components.choose": {
      const components = command.components === undefined ? undefined : [...new Set(command.components)]
      return events({ type: "components.chosen", ...common, ...(components !== undefined && { components }) })
    }
    case "profile.choose":
      return chooseProfile(head, command, facts)
    case "session.start":
      if (SessionState.isOn(head.session.state)) return events()
      return events({ type: "session.start.requested", ...common })
    case "session.stop":
      return stopSession(head, facts)
    case "thread.rollback":
      return refuse(
        "unsupported",
        `${head.provider.name} can't go back to an earlier turn.`,
        facts.noRollback ?? "Going back is not offered yet."
      )
  }
}

type Of<Type extends ThreadCommand["type"]> = Extract<ThreadCommand, { readonly type: Type }>

const create = (head: ThreadHead | undefined, command: Of<"thread.create">, facts: Facts): Decision => {
  if (head !== undefined)
    return refuse("command-invalid", "This thread exists already.", `${facts.threadId} was created before.`)
  if (facts.creation === undefined)
    return refuse("internal", "The thread was not created.", "Its agent was not looked up.")
  if (Result.isFailure(facts.creation)) return Result.fail(facts.creation.failure)
  const common = { threadId: facts.threadId, at: facts.now }
  const title = command.title?.trim() ?? ""
  const folders = otherFolders(command)
  const remembered = rememberedFor(command, facts)
  return events(
    {
      type: "thread.created",
      ...common,
      provider: facts.creation.success,
      cwd: command.cwd,
      title: titleOf(command),
      providerOptions: command.providerOptions ?? {},
      settings: command.settings ?? {},
      ...(Object.keys(remembered).length > 0 && { remembered }),
      ...(command.mcpServers !== undefined && { mcpServers: [...new Set(command.mcpServers)] }),
      ...(command.components !== undefined && { components: [...new Set(command.components)] }),
      ...(command.from !== undefined && { from: command.from }),
      ...(folders.length > 0 && { additionalDirectories: folders })
    },
    ...(title === "" ? [] : [{ type: "thread.renamed" as const, ...common, title }])
  )
}

/** The remembered settings that the command does not set. An existing session has its own. */
const rememberedFor = ({ from, settings = {} }: Of<"thread.create">, { remembered = {} }: Facts) =>
  from === undefined
    ? Object.fromEntries(Object.entries(remembered).filter(([settingId]) => !(settingId in settings)))
    : {}

/** The first title. An imported session's title is the agent's, which the agent may change. */
const titleOf = ({ from }: Of<"thread.create">): string =>
  (from?.type === "import" ? from.title?.trim() : undefined) || "New thread"

/** The additional folders, each once, without the thread's own. */
const otherFolders = ({ additionalDirectories = [], cwd }: Of<"thread.create">): ReadonlyArray<string> =>
  [...new Set(additionalDirectories)].filter((folder) => folder !== cwd)

const startTurn = (head: ThreadHead, command: Of<"turn.start">, facts: Facts): Decision => {
  if (command.provider !== undefined && command.provider !== head.provider.id)
    return refuse(
      "command-invalid",
      `This thread belongs to ${head.provider.name}.`,
      `The prompt was meant for ${command.provider}. A thread never changes its agent: start another thread for it.`
    )
  if (facts.turnKnown || head.turns.some(({ turnId }) => turnId === command.turnId))
    return refuse("command-invalid", "This turn exists already.", `The turn ${command.turnId} was started before.`)
  const { prompt, steer, turnId } = command
  const common = { threadId: facts.threadId, at: facts.now }
  if (!steer) return events({ type: "turn.queued", ...common, turnId, prompt })
  const way = Interjection.isTaken(head) ? [] : Interjection.makeWay(head, turnId)
  return events(
    { type: "turn.queued", ...common, turnId, prompt, steer },
    ...way.map((report): OrchestrationEvent => ({ ...report, ...common }))
  )
}

const chooseProfile = (head: ThreadHead, { profile }: Of<"profile.choose">, facts: Facts): Decision => {
  const { session } = head
  if (session.state !== "ready")
    return refuse(
      "command-invalid",
      "Nothing was changed: no session runs.",
      "The choice holds until the session ends. Start the agent first, or send a prompt."
    )
  if (profile === session.profile) return events()
  return events({
    type: "profile.chosen",
    threadId: facts.threadId,
    at: facts.now,
    ...(profile !== undefined && { profile }),
    ...(facts.client !== undefined && { client: facts.client })
  })
}

/** The turn if it is queued, or else the problem why it can't be changed. */
const waitingTurn = ({ turns }: ThreadHead, turnId: TurnId, facts: Facts): Result.Result<TurnView, Problem> => {
  const turn = turns.find((candidate) => candidate.turnId === turnId)
  if (turn?.status === "queued") return Result.succeed(turn)
  if (turn === undefined && !facts.turnKnown)
    return refuse("command-invalid", "There is no such turn.", `This thread has no turn ${turnId}.`)
  return refuse(
    "command-invalid",
    "This prompt does not wait any more.",
    turn === undefined || hasEnded(turn.status)
      ? "It was sent, or taken back, before the change arrived."
      : "It was sent before the change arrived: the agent has it as it was."
  )
}

/** Adds the transcript to the next prompt, as a text that people see with it. Releases all held turns. */
const handOver = (head: ThreadHead, { held }: Of<"queue.hold">, { now, threadId, transcript }: Facts): Decision => {
  const [turn] = TurnQueue.holdable(head)
  if (held || turn === undefined || head.heldBy?.why !== "forgotten")
    return refuse(
      "command-invalid",
      "There is nothing to hand over the transcript with.",
      "It goes along with a prompt that waits since the agent has lost its session, and none does."
    )
  const common = { threadId, at: now }
  const prompt = transcript === undefined ? turn.prompt : [...turn.prompt, transcript]
  return Result.succeed([
    { type: "turn.edited", ...common, turnId: turn.turnId, prompt },
    { type: "queue.held", ...common, held: false }
  ])
}

const edit = (head: ThreadHead, { prompt, turnId }: Of<"turn.edit">, facts: Facts): Decision =>
  Result.map(waitingTurn(head, turnId, facts), () => [
    { type: "turn.edited", threadId: facts.threadId, at: facts.now, turnId, prompt }
  ])

const move = (head: ThreadHead, { before, turnId }: Of<"turn.move">, facts: Facts): Decision =>
  Result.gen(function* () {
    const turn = yield* waitingTurn(head, turnId, facts)
    const place = before === undefined ? undefined : yield* waitingTurn(head, before, facts)
    if (turn.steer || place?.steer)
      return yield* refuse("command-invalid", "This prompt has its place.", "It goes before all that wait.")
    const others = TurnQueue.waiting(head).filter((other) => other !== turn)
    const index = place === undefined ? others.length : others.indexOf(place)
    const isThere = turn === place || TurnQueue.waiting(head).indexOf(turn) === index
    if (isThere) return []
    const common = { threadId: facts.threadId, at: facts.now }
    return [{ type: "turn.moved" as const, ...common, turnId, ...(before !== undefined && { before }) }]
  })

const interrupt = (head: ThreadHead, { ifQueued, turnId }: Of<"turn.interrupt">, facts: Facts): Decision => {
  const common = { threadId: facts.threadId, at: facts.now }
  const turn = head.turns.find((candidate) => candidate.turnId === turnId)
  if (turn === undefined)
    return facts.turnKnown
      ? refuse("command-invalid", "This turn has ended already.", "It is one of the thread's earlier turns.")
      : refuse("command-invalid", "There is no such turn.", `This thread has no turn ${turnId}.`)
  if (hasEnded(turn.status))
    return refuse("command-invalid", "This turn has ended already.", `It ended as ${turn.status} before Stop arrived.`)
  if (turn.status === "queued") return events({ type: "turn.withdrawn", ...common, turnId })
  if (ifQueued)
    return refuse(
      "command-invalid",
      "This turn has started meanwhile.",
      "The agent has the prompt: it can only be stopped."
    )
  if (turn.status === "cancelling") return events()
  return events({ type: "turn.interrupt.requested", ...common, turnId })
}

/** Stops the session. Queued turns that are not held fail with the stop, so that no later server sends them. */
const stopSession = (head: ThreadHead, facts: Facts): Decision => {
  const { held, session } = head
  // Held turns are not sent now, and remain until somebody releases them.
  const kept = new Set(held ? TurnQueue.holdable(head) : [])
  const waiting = TurnQueue.waiting(head).filter((turn) => !kept.has(turn))
  if (!SessionState.isOn(session.state) && session.restart === undefined && waiting.length === 0) return events()
  const common = { threadId: facts.threadId, at: facts.now }
  return events(
    { type: "session.stop.requested", ...common },
    ...waiting.map(({ turnId }) => ({ type: "turn.failed" as const, ...common, turnId, problem: notSent }))
  )
}

/** The problem of a turn that was queued when a person stopped the session. */
export const notSent: Problem = {
  code: "request-failed",
  title: "Not sent: the session was stopped before its turn came.",
  cause: "The agent never saw this prompt.",
  evidence: {},
  nextSteps: [{ action: "send-again", label: "Send it again" }]
}

/** The reason why the agent's offered settings don't accept `value`. Undefined if they do. */
const whyNot = (offered: ReadonlyArray<SessionSetting>, settingId: string, value: SettingValue): string | undefined => {
  const setting = offered.find(({ id }) => id === settingId)
  if (setting === undefined) return "The agent offers no such setting now."
  switch (setting.type) {
    case "boolean":
      return typeof value === "boolean" ? undefined : `${setting.name} is either on or off.`
    case "select":
      if (setting.groups.some(({ choices }) => choices.some((choice) => choice.value === value))) return undefined
      return `${setting.name} offers no such choice now.`
    case "unknown":
      return `${setting.name} is of a kind that is not known here.`
  }
}
