import type { ThreadCommand } from "@signalbox/contracts/Command"
import {
  EventId,
  ProviderSessionId,
  RequestId,
  ResumeToken,
  Sequence,
  ThreadId,
  TurnId
} from "@signalbox/contracts/Ids"
import { ProviderId, type ProviderRef } from "@signalbox/contracts/Provider"
import type { ProviderRuntimeEvent, RuntimeEventOf } from "@signalbox/contracts/ProviderRuntimeEvent"
import type { OrchestrationEvent, ThreadEvent } from "@signalbox/contracts/ThreadEvent"
import * as ThreadProjection from "../src/ThreadProjection.ts"
import type { ThreadView } from "@signalbox/contracts/ThreadView"
import { assert, describe, it } from "@effect/vitest"
import * as Result from "effect/Result"
import { decide } from "../src/Decider.ts"
import type { Facts } from "../src/Decision.ts"

const threadId = ThreadId.make("thread")
const turnId = TurnId.make("turn")
const other = TurnId.make("other")
const provider: ProviderRef = { id: ProviderId.make("fake"), kind: "acp", name: "Fake", simulated: true }
const facts: Facts = { threadId, now: 1000, patternTest: () => (pattern, text) => new RegExp(pattern, "u").test(text) }
const common = { threadId, at: 1 }
const runtime = {
  ...common,
  eventId: EventId.make("event"),
  providerKind: provider.kind,
  providerSessionId: ProviderSessionId.make("session")
}

const created: OrchestrationEvent = {
  type: "thread.created",
  ...common,
  provider,
  cwd: "/project",
  title: "New thread",
  providerOptions: {},
  settings: {}
}
const started: RuntimeEventOf<"session.started"> = {
  type: "session.started",
  ...runtime,
  origin: "new",
  resumeToken: ResumeToken.make("token"),
  capabilities: { rollback: { supported: false, reason: "No." }, resume: true, images: false }
}
const settings: ProviderRuntimeEvent = {
  type: "settings.updated",
  ...runtime,
  settings: [
    { type: "boolean", id: "fast", name: "Fast", value: false },
    { type: "select", id: "mode", name: "Mode", groups: [{ choices: [{ value: "plan", name: "Plan" }] }] },
    { type: "unknown", id: "dial", name: "Dial", raw: "{}" }
  ]
}
const queued: Extract<OrchestrationEvent, { type: "turn.queued" }> = {
  type: "turn.queued",
  ...common,
  turnId,
  prompt: [{ type: "text", text: "hi" }]
}
const dispatched: OrchestrationEvent = { type: "turn.dispatched", ...common, turnId }
const exited: ProviderRuntimeEvent = { type: "session.exited", ...runtime, expected: false }
const completed: ProviderRuntimeEvent = { type: "turn.completed", ...runtime, turnId, outcome: "completed" }
const interrupted: OrchestrationEvent = { type: "turn.interrupt.requested", ...common, turnId }

const approvalId = RequestId.make("approval")
const questionId = RequestId.make("question")
const planId = RequestId.make("plan")
const requests: ReadonlyArray<ProviderRuntimeEvent> = [
  {
    type: "approval.requested",
    ...runtime,
    turnId,
    request: {
      type: "approval",
      requestId: approvalId,
      at: 1,
      options: [
        { optionId: "proceed_once", name: "Go", kind: "allow_once" },
        { optionId: "stop", name: "No", kind: "reject_once" }
      ],
      tool: {
        toolCallId: "call",
        title: "ls",
        kind: "execute",
        status: "pending",
        subject: { type: "none" },
        diffs: [],
        content: [],
        locations: [],
        startedAt: 1
      }
    }
  },
  {
    type: "question.requested",
    ...runtime,
    turnId,
    request: {
      type: "question",
      requestId: questionId,
      at: 1,
      questions: [
        {
          id: "one",
          prompt: "One?",
          options: [
            { id: "a", label: "A" },
            { id: "b", label: "B" }
          ],
          allowMultiple: false
        },
        {
          id: "many",
          prompt: "Many?",
          options: [
            { id: "a", label: "A" },
            { id: "b", label: "B" }
          ],
          allowMultiple: true
        }
      ]
    }
  },
  {
    type: "plan.proposed",
    ...runtime,
    turnId,
    request: { type: "plan", requestId: planId, at: 1, plan: "# Plan", entries: [] }
  }
]
const answered: OrchestrationEvent = {
  type: "request.answered",
  ...common,
  requestId: approvalId,
  response: { type: "option", optionId: "proceed_once" }
}

const after = (...events: ReadonlyArray<ThreadEvent>): ThreadView =>
  ThreadProjection.apply(
    undefined,
    events.map((event, index) => ({ sequence: Sequence.make(index + 1), event }))
  )

/** The open request with a digest, and what changed in it. */
const bound = (digest: string, changes: { readonly revision: number; readonly changed?: ReadonlyArray<"input"> }) => {
  const [request] = requests
  if (request?.type !== "approval.requested") throw new Error("The first request is no approval.")
  return { ...request.request, digest, ...changes }
}
const boundRequest: ProviderRuntimeEvent = {
  type: "approval.requested",
  ...runtime,
  turnId,
  request: bound("d0", { revision: 0 })
}
const changedRequest: ProviderRuntimeEvent = {
  type: "approval.changed",
  ...runtime,
  turnId,
  request: bound("d1", { revision: 1, changed: ["input"] })
}
const askingBound = after(created, started, queued, dispatched, boundRequest)
const askingChanged = after(created, started, queued, dispatched, boundRequest, changedRequest)
const takes = (digest?: string) =>
  respond(approvalId, { type: "option", optionId: "proceed_once", ...(digest !== undefined && { digest }) })
const stale = { code: "request-changed", says: "The request changed after you read it." }

const fresh = after(created)
const sessionReady = after(created, started, settings)
const turnRunning = after(created, started, queued, dispatched)
const asking = after(created, started, queued, dispatched, ...requests)

type Expected = ReadonlyArray<string> | { readonly code: string; readonly says: string }
interface Case {
  readonly name: string
  readonly view: ThreadView | undefined
  readonly command: ThreadCommand
  readonly facts?: Partial<Facts>
  readonly expected: Expected
}

const third = TurnId.make("third")
const lostFirst: OrchestrationEvent = { type: "turn.lost", ...common, turnId: queued.turnId, reason: "restarted" }
const held: OrchestrationEvent = { type: "queue.held", ...common, held: true }
const steerable: ProviderRuntimeEvent = { ...started, capabilities: { ...started.capabilities, steering: "agent" } }
const turnsWaiting = after(
  created,
  started,
  queued,
  dispatched,
  { ...queued, turnId: other },
  { ...queued, turnId: third }
)
const edit = (which: TurnId): ThreadCommand => ({
  type: "turn.edit",
  turnId: which,
  prompt: [{ type: "text", text: "other" }]
})
const hold = (held: boolean): ThreadCommand => ({ type: "queue.hold", held })
const start = (more: { readonly provider?: ProviderId } = {}): Extract<ThreadCommand, { type: "turn.start" }> => ({
  type: "turn.start",
  turnId,
  prompt: [{ type: "text", text: "hi" }],
  ...more
})
const create: Extract<ThreadCommand, { type: "thread.create" }> = {
  type: "thread.create",
  provider: provider.id,
  cwd: "/project"
}
const interrupt = (which: TurnId): ThreadCommand => ({ type: "turn.interrupt", turnId: which })
const respond = (
  requestId: RequestId,
  response: Extract<ThreadCommand, { readonly type: "request.respond" }>["response"]
): ThreadCommand => ({ type: "request.respond", requestId, response })
/** Rejects with a reason, in a turn of its own. */
const rejects = (more: object = { turnId: other }, optionId = "stop"): ThreadCommand => ({
  type: "request.respond",
  requestId: approvalId,
  response: { type: "option", optionId, reason: "Use mv" },
  ...more
})
const answers = (...given: ReadonlyArray<readonly [string, ...ReadonlyArray<string>]>) =>
  respond(questionId, {
    type: "answers",
    answers: given.map(([questionId, ...optionIds]) => ({ questionId, optionIds }))
  })
const set = (settingId: string, value: string | boolean): ThreadCommand => ({ type: "setting.set", settingId, value })

const bypassing: OrchestrationEvent = { type: "profile.chosen", ...common, profile: "bypass" }

const here = { creation: Result.succeed(provider) }
const nowhere = {
  creation: Result.fail({
    code: "cwd-unusable" as const,
    title: "It is not there.",
    cause: "",
    evidence: {},
    nextSteps: []
  })
}

const cases: ReadonlyArray<Case> = [
  { name: "creates a thread", view: undefined, command: create, facts: here, expected: ["thread.created"] },
  {
    name: "creates a thread that a person named",
    view: undefined,
    command: { ...create, title: " Mine " },
    facts: here,
    expected: ["thread.created", "thread.renamed"]
  },
  {
    name: "passes on why a thread can't be created",
    view: undefined,
    command: create,
    facts: nowhere,
    expected: { code: "cwd-unusable", says: "It is not there." }
  },
  {
    name: "creates a thread once",
    view: fresh,
    command: create,
    facts: here,
    expected: { code: "command-invalid", says: "This thread exists already." }
  },
  {
    name: "refuses everything else on a thread that is not there",
    view: undefined,
    command: start(),
    expected: { code: "command-invalid", says: "There is no such thread." }
  },
  { name: "renames", view: fresh, command: { type: "thread.rename", title: "New" }, expected: ["thread.renamed"] },
  {
    name: "refuses an empty title",
    view: fresh,
    command: { type: "thread.rename", title: " " },
    expected: { code: "command-invalid", says: "A title can't be empty." }
  },

  { name: "queues a turn", view: fresh, command: start(), expected: ["turn.queued"] },
  {
    name: "queues a turn for the thread's own agent",
    view: fresh,
    command: start({ provider: provider.id }),
    expected: ["turn.queued"]
  },
  {
    name: "never replaces the agent that a prompt names",
    view: fresh,
    command: start({ provider: ProviderId.make("cursor") }),
    expected: { code: "command-invalid", says: "This thread belongs to Fake." }
  },
  {
    name: "refuses a turn's id twice",
    view: turnRunning,
    command: start(),
    expected: { code: "command-invalid", says: "This turn exists already." }
  },
  {
    name: "refuses the id of a turn that was taken back",
    view: fresh,
    command: start(),
    facts: { turnKnown: true },
    expected: { code: "command-invalid", says: "This turn exists already." }
  },

  {
    name: "takes a waiting turn back",
    view: after(created, queued),
    command: interrupt(turnId),
    expected: ["turn.withdrawn"]
  },
  {
    name: "stops a running turn",
    view: turnRunning,
    command: interrupt(turnId),
    expected: ["turn.interrupt.requested"]
  },
  {
    name: "stops a turn once",
    view: after(created, queued, dispatched, interrupted),
    command: interrupt(turnId),
    expected: []
  },
  {
    name: "says that a turn has ended already",
    view: after(created, queued, dispatched, completed),
    command: interrupt(turnId),
    expected: { code: "command-invalid", says: "This turn has ended already." }
  },
  {
    name: "says that there is no such turn",
    view: turnRunning,
    command: interrupt(other),
    expected: { code: "command-invalid", says: "There is no such turn." }
  },
  {
    name: "says that a turn from before what is at hand has ended",
    view: turnRunning,
    command: interrupt(other),
    facts: { turnKnown: true },
    expected: { code: "command-invalid", says: "This turn has ended already." }
  },
  {
    name: "takes a turn back that is only to be taken back",
    view: after(created, queued),
    command: { type: "turn.interrupt", turnId, ifQueued: true },
    expected: ["turn.withdrawn"]
  },
  {
    name: "does not stop a turn that is only to be taken back",
    view: turnRunning,
    command: { type: "turn.interrupt", turnId, ifQueued: true },
    expected: { code: "command-invalid", says: "This turn has started meanwhile." }
  },

  {
    name: "takes an option that the agent offers",
    view: asking,
    command: respond(approvalId, { type: "option", optionId: "proceed_once" }),
    expected: ["request.answered"]
  },
  {
    name: "takes an answer to the request as it stands",
    view: askingBound,
    command: takes("d0"),
    expected: ["request.answered"]
  },
  { name: "refuses an answer that names no digest", view: askingBound, command: takes(), expected: stale },
  {
    name: "refuses an answer to what the request was before",
    view: askingChanged,
    command: takes("d0"),
    expected: stale
  },
  {
    name: "takes an answer to what the request became",
    view: askingChanged,
    command: takes("d1"),
    expected: ["request.answered"]
  },
  {
    name: "takes another answer when the request changed under the first",
    view: after(created, started, queued, dispatched, boundRequest, answered, changedRequest),
    command: takes("d1"),
    expected: ["request.answered"]
  },
  {
    name: "refuses an option that the agent does not offer",
    view: asking,
    command: respond(approvalId, { type: "option", optionId: "allow-once" }),
    expected: { code: "option-unknown", says: "This is not an answer to what was asked." }
  },
  ...(["skip", "accept", "reject"] as const).map((type): Case => ({
    name: `refuses to ${type} a permission`,
    view: asking,
    command: respond(approvalId, { type }),
    expected: { code: "option-unknown", says: "This is not an answer to what was asked." }
  })),
  {
    name: "refuses a second answer",
    view: after(created, started, queued, dispatched, ...requests, answered),
    command: respond(approvalId, { type: "option", optionId: "proceed_once" }),
    expected: { code: "request-closed", says: "Your answer was not taken." }
  },
  {
    name: "refuses an answer after the end of its turn",
    view: after(created, started, queued, dispatched, ...requests, completed),
    command: respond(approvalId, { type: "option", optionId: "proceed_once" }),
    expected: { code: "request-closed", says: "Your answer was not taken." }
  },
  {
    name: "queues the reason of a rejection",
    view: asking,
    command: rejects(),
    expected: ["request.answered", "turn.queued"]
  },
  {
    name: "puts the reason of a rejection before prompts that wait",
    view: after(created, started, queued, dispatched, ...requests, { ...queued, turnId: third }),
    command: rejects(),
    expected: ["request.answered", "turn.queued", "turn.moved"]
  },
  {
    name: "answers nothing where a reason has no turn",
    view: asking,
    command: rejects({}),
    expected: { code: "command-invalid", says: "The reason has no turn of its own." }
  },
  {
    name: "answers nothing where a reason has a turn that exists",
    view: asking,
    command: rejects({ turnId }),
    expected: { code: "command-invalid", says: "The reason has no turn of its own." }
  },
  {
    name: "takes a reason with a rejection only",
    view: asking,
    command: rejects({ turnId: other }, "proceed_once"),
    expected: { code: "command-invalid", says: "This answer can't have a reason." }
  },
  {
    name: "takes answers by id",
    view: asking,
    command: answers(["one", "a"], ["many", "a", "b"]),
    expected: ["request.answered"]
  },
  {
    name: "takes a skipped question",
    view: asking,
    command: respond(questionId, { type: "skip" }),
    expected: ["request.answered"]
  },
  ...[
    answers(["two", "a"]),
    answers(["one", "c"]),
    answers(["one", "a", "b"]),
    answers(["one", "a"], ["one", "b"]),
    respond(questionId, { type: "accept" })
  ].map((command): Case => ({
    name: `refuses an answer that does not fit the question: ${JSON.stringify(command)}`,
    view: asking,
    command,
    expected: { code: "option-unknown", says: "This is not an answer to what was asked." }
  })),
  {
    name: "accepts a plan",
    view: asking,
    command: respond(planId, { type: "accept" }),
    expected: ["request.answered"]
  },
  {
    name: "rejects a plan",
    view: asking,
    command: respond(planId, { type: "reject", reason: "No." }),
    expected: ["request.answered"]
  },
  {
    name: "refuses to skip a plan",
    view: asking,
    command: respond(planId, { type: "skip" }),
    expected: { code: "option-unknown", says: "This is not an answer to what was asked." }
  },

  { name: "keeps a setting for later", view: fresh, command: set("mode", "anything"), expected: ["setting.requested"] },
  { name: "sets what is offered", view: sessionReady, command: set("mode", "plan"), expected: ["setting.requested"] },
  {
    name: "switches what can be switched",
    view: sessionReady,
    command: set("fast", true),
    expected: ["setting.requested"]
  },
  ...(
    [
      ["mode", "chess"],
      ["mode", true],
      ["fast", "yes"],
      ["dial", "3"],
      ["volume", "3"]
    ] as const
  ).map(([settingId, value]): Case => ({
    name: `refuses to set ${settingId} to ${String(value)}`,
    view: sessionReady,
    command: set(settingId, value),
    expected: { code: "setting-rejected", says: `${settingId} can't be set to ${String(value)}.` }
  })),

  { name: "starts a session", view: fresh, command: { type: "session.start" }, expected: ["session.start.requested"] },
  { name: "leaves a session that runs", view: sessionReady, command: { type: "session.start" }, expected: [] },
  {
    name: "stops a session",
    view: sessionReady,
    command: { type: "session.stop" },
    expected: ["session.stop.requested"]
  },
  {
    name: "stops a session together with what waits for it",
    view: after(created, started, queued),
    command: { type: "session.stop" },
    expected: ["session.stop.requested", "turn.failed"]
  },
  {
    name: "stops a session that ended by itself and is to be started again",
    view: after(created, started, exited, { type: "session.restart.scheduled", ...common, attempt: 1, dueAt: 500 }),
    command: { type: "session.stop" },
    expected: ["session.stop.requested"]
  },
  {
    name: "leaves what is held to its fate when the session is stopped, but not what was to come between",
    view: after(created, started, queued, held, { ...queued, turnId: other, steer: true }),
    command: { type: "session.stop" },
    expected: ["session.stop.requested", "turn.failed"]
  },
  {
    name: "hands no transcript over where the agent knows what was said",
    view: after(created, started, queued, held),
    command: { type: "queue.hold", held: false, transcript: true },
    expected: { code: "command-invalid", says: "There is nothing to hand over the transcript with." }
  },
  {
    name: "changes a prompt that waits",
    view: turnsWaiting,
    command: edit(other),
    expected: ["turn.edited"]
  },
  {
    name: "does not change one that was sent",
    view: turnsWaiting,
    command: edit(turnId),
    expected: { code: "command-invalid", says: "This prompt does not wait any more." }
  },
  {
    name: "does not change one that has left",
    view: turnsWaiting,
    command: edit(TurnId.make("gone")),
    facts: { turnKnown: true },
    expected: { code: "command-invalid", says: "This prompt does not wait any more." }
  },
  {
    name: "does not change one that never was",
    view: turnsWaiting,
    command: edit(TurnId.make("gone")),
    expected: { code: "command-invalid", says: "There is no such turn." }
  },
  {
    name: "puts one before another",
    view: turnsWaiting,
    command: { type: "turn.move", turnId: third, before: other },
    expected: ["turn.moved"]
  },
  {
    name: "puts one behind all",
    view: turnsWaiting,
    command: { type: "turn.move", turnId: other },
    expected: ["turn.moved"]
  },
  {
    name: "leaves one where it is already",
    view: turnsWaiting,
    command: { type: "turn.move", turnId: other, before: third },
    expected: []
  },
  {
    name: "leaves one that is to stand before itself",
    view: turnsWaiting,
    command: { type: "turn.move", turnId: other, before: other },
    expected: []
  },
  {
    name: "puts none before one that was sent",
    view: turnsWaiting,
    command: { type: "turn.move", turnId: other, before: turnId },
    expected: { code: "command-invalid", says: "This prompt does not wait any more." }
  },
  {
    name: "puts none before one that comes between",
    view: after(created, started, queued, { ...queued, turnId: other, steer: true }),
    command: { type: "turn.move", turnId, before: other },
    expected: { code: "command-invalid", says: "This prompt has its place." }
  },
  { name: "holds the queue", view: turnsWaiting, command: hold(true), expected: ["queue.held"] },
  {
    name: "makes a person's hold of that of a turn, which would end by itself",
    view: after(created, started, queued, dispatched, { ...queued, turnId: other }, lostFirst),
    command: hold(true),
    expected: ["queue.held"]
  },
  {
    name: "lets go of what a lost turn holds",
    view: after(created, started, queued, dispatched, { ...queued, turnId: other }, lostFirst),
    command: hold(false),
    expected: ["queue.held"]
  },
  { name: "holds it once", view: after(created, held), command: hold(true), expected: [] },
  { name: "lets nothing go that is not held", view: turnsWaiting, command: hold(false), expected: [] },
  {
    name: "makes way for a prompt that is to come between",
    view: turnRunning,
    command: { ...start(), turnId: other, steer: true },
    expected: ["turn.queued", "turn.steered", "turn.interrupt.requested"]
  },
  {
    name: "leaves the running turn to an agent that takes the prompt into it",
    view: after(created, steerable, queued, dispatched),
    command: { ...start(), turnId: other, steer: true },
    expected: ["turn.queued"]
  },
  {
    name: "stops no turn a second time for what is to come between",
    view: after(created, started, queued, dispatched, interrupted),
    command: { ...start(), turnId: other, steer: true },
    expected: ["turn.queued"]
  },
  {
    name: "chooses who answers requests, until the session ends",
    view: sessionReady,
    command: { type: "profile.choose", profile: "bypass" },
    expected: ["profile.chosen"]
  },
  {
    name: "leaves a profile that is chosen already",
    view: after(created, started, bypassing),
    command: { type: "profile.choose", profile: "bypass" },
    expected: []
  },
  {
    name: "goes back to the profile of the settings",
    view: after(created, started, bypassing),
    command: { type: "profile.choose" },
    expected: ["profile.chosen"]
  },
  {
    name: "refuses to choose a profile while no session runs",
    view: after(created, started, exited),
    command: { type: "profile.choose", profile: "bypass" },
    expected: { code: "command-invalid", says: "Nothing was changed: no session runs." }
  },
  { name: "leaves a session that is not there", view: fresh, command: { type: "session.stop" }, expected: [] },
  {
    name: "refuses to go back, with the agent's reason",
    view: fresh,
    command: { type: "thread.rollback", turnId },
    facts: { noRollback: "No." },
    expected: { code: "unsupported", says: "Fake can't go back to an earlier turn." }
  }
]

describe("the decider", () => {
  it.each(cases)("$name", ({ command, expected, facts: more, view }) => {
    const decision = decide(view, command, { ...facts, ...more })
    const said: Expected = Result.match(decision, {
      onSuccess: (events) => events.map(({ type }) => type),
      onFailure: ({ code, title }) => ({ code, says: title })
    })
    assert.deepStrictEqual(said, expected)
    if (Result.isSuccess(decision)) {
      for (const event of decision.success) assert.deepInclude(event, { threadId, at: 1000 })
    }
  })

  it("creates the thread with the agent that was looked up, and what the command says", () => {
    const command: ThreadCommand = {
      ...create,
      providerOptions: { acp: { command: "x" } },
      settings: { mode: "plan" },
      title: "Mine"
    }
    const [first, second] = Result.getOrThrow(decide(undefined, command, { ...facts, ...here }))
    assert.deepInclude(first, { provider, cwd: "/project", providerOptions: { acp: { command: "x" } } })
    assert.deepInclude(first, { settings: { mode: "plan" } })
    assert.deepInclude(second, { title: "Mine" })
  })

  it("begins a new thread with what was chosen last, where the command does not say otherwise, and no session of before", () => {
    const remembered = { mode: "plan", fast: true }
    const begunWith = (more: Partial<Extract<ThreadCommand, { type: "thread.create" }>>) => {
      const [first] = Result.getOrThrow(decide(undefined, { ...create, ...more }, { ...facts, ...here, remembered }))
      assert(first?.type === "thread.created")
      return [first.settings, first.remembered]
    }
    assert.deepStrictEqual(begunWith({}), [{}, remembered])
    assert.deepStrictEqual(begunWith({ settings: { mode: "ask" } }), [{ mode: "ask" }, { fast: true }])
    const from = { type: "import" as const, sessionId: ResumeToken.make("kept") }
    assert.deepStrictEqual(begunWith({ from }), [{}, undefined])
  })

  it("gives the reason of a rejection to an agent within its turn, if it takes prompts there", () => {
    const prompt = [{ type: "text", text: "Use mv" }] as const
    const [, next] = Result.getOrThrow(decide(asking, rejects(), facts))
    assert.deepStrictEqual(next, { type: "turn.queued", threadId, at: 1000, turnId: other, prompt })
    const steered = after(created, steerable, queued, dispatched, ...requests)
    const [, within] = Result.getOrThrow(decide(steered, rejects(), facts))
    assert.deepStrictEqual(within, { type: "turn.queued", threadId, at: 1000, turnId: other, prompt, steer: true })
  })
})
