/** A thread with an entry of every kind, as the projection would leave it. */
import { ItemId, ProviderSessionId, RequestId, Sequence, ThreadId, TurnId } from "@signalbox/contracts/Ids"
import { ProviderId } from "@signalbox/contracts/Provider"
import type { Problem } from "@signalbox/contracts/Problem"
import type { ItemView, ThreadView, TurnView } from "@signalbox/contracts/ThreadView"
import type { ToolCall } from "@signalbox/contracts/ToolCall"

export const start = new Date("2026-11-20T14:02:11").getTime()
const at = (seconds: number) => start + seconds * 1000
const [one, two, three, four, five] = ["t1", "t2", "t3", "t4", "t5"].map((id) => TurnId.make(id)) as [
  TurnId,
  TurnId,
  TurnId,
  TurnId,
  TurnId
]
let items = 0
const item = (seconds: number, turnId?: TurnId) => ({
  itemId: ItemId.make(`i${items++}`),
  at: at(seconds),
  ...(turnId && { turnId })
})

export const tool = (seconds: number, tookMs: number | undefined, call: Partial<ToolCall>): ToolCall => ({
  toolCallId: `tool_${seconds}`,
  title: "A tool",
  kind: "other",
  status: tookMs === undefined ? "in_progress" : "completed",
  subject: { type: "none" },
  diffs: [],
  content: [],
  locations: [],
  startedAt: at(seconds),
  ...(tookMs !== undefined && { endedAt: at(seconds) + tookMs }),
  ...call
})

const text = (source: string) => [{ type: "text", text: source } as const]

const deliverBefore = `import { post } from "./http.ts"
import { DeliveryFailed } from "./errors.ts"

export interface Delivered {
  id: string
  status: "delivered"
  attempt: number
}

export async function deliver(event: WebhookEvent, attempt = 1): Promise<Delivered> {
  const body = JSON.stringify(event.payload)
  const signal = AbortSignal.timeout(10_000)
  const response = await post(event.endpoint, body, { signal })
  if (!response.ok) throw new DeliveryFailed(event.id, response.status)
  return { id: event.id, status: "delivered", attempt }
}
`

const deliverAfter = deliverBefore
  .replace(
    "  if (!response.ok) throw new DeliveryFailed(event.id, response.status)\n",
    `  if (!response.ok) {
    const wait = retryAfter(response.headers) ?? backoff(attempt)
    if (!isRetryable(response.status) || attempt >= MAX_ATTEMPTS)
      throw new DeliveryFailed(event.id, response.status, attempt)
    return reschedule(event, attempt + 1, wait)
  }
`
  )
  .replace("AbortSignal.timeout(10_000)", "AbortSignal.timeout(DELIVERY_TIMEOUT)")

const esc = "\u001b["
const vitest = [
  ...Array.from({ length: 56 }, (_, line) => `${esc}2m src/webhooks/setup.ts${esc}22m step ${line}`),
  `${esc}1m${esc}46m RUN ${esc}0m v4.1.2`,
  ` ${esc}32m✓${esc}39m backoff.test.ts ${esc}2m(6 tests)${esc}22m ${esc}2m9 ms${esc}22m`,
  ` ${esc}31m❯${esc}39m deliver.test.ts ${esc}2m(11 tests |${esc}22m ${esc}31m1 failed${esc}39m${esc}2m)${esc}22m ${esc}33m412 ms${esc}39m`,
  `   ${esc}31m× waits for Retry-After given as a date${esc}39m`,
  `     ${esc}31mAssertionError: expected NaN to be 90000${esc}39m`,
  `     ${esc}36msrc/webhooks/deliver.test.ts${esc}39m:${esc}33m118:22${esc}39m`,
  ` ${esc}1mTests${esc}22m  ${esc}31m1 failed${esc}39m | ${esc}32m16 passed${esc}39m ${esc}2m(17)${esc}22m`
].join("\n")

export const crashed: Problem = {
  code: "agent-exited",
  title: "Cursor crashed in the middle of turn 3.",
  cause:
    "It was killed by SIGABRT after 41 s while running `pnpm test map`. The text and the 2 edits above are kept. Nothing was sent twice.",
  evidence: {
    stderrTail: [
      "[worker-server] heap 3998 MB of 4096 MB",
      "\u001b[31mFATAL ERROR: Reached heap limit Allocation failed\u001b[0m - JavaScript heap out of memory",
      " 1: 0xb8d0a3 node::OOMErrorHandler(char const*, v8::OOMDetails const&)"
    ],
    stderrLines: 212,
    signal: "SIGABRT"
  },
  nextSteps: [{ action: "send-again", label: "Send turn 3 again" }]
}

export const loggedOut: Problem = {
  code: "auth-required",
  title: "Cursor wants you to sign in.",
  cause: "It answered `session/new` with −32000, “Authentication required”. The prompt is kept.",
  evidence: { method: "session/new", rpcCode: -32000, rpcMessage: "Authentication required" },
  nextSteps: [{ action: "log-in", label: "In a terminal:", command: "cursor-agent login" }]
}

const lost: Problem = {
  code: "turn-lost",
  title: "This turn is lost.",
  cause:
    "The server restarted after the prompt was handed over and before Cursor confirmed it, so we didn’t send it again.",
  evidence: {},
  nextSteps: [{ action: "send-again", label: "Send it again" }]
}

export const limit: Problem = {
  code: "usage-limit",
  title: "Cursor has reached its usage limit.",
  cause: "It ended the turn with the sentence “Upgrade your plan to continue”.",
  evidence: {},
  nextSteps: [{ action: "wait", label: "Wait until the limit is lifted, or choose another model." }]
}

const entries: ReadonlyArray<ItemView> = [
  { ...item(-700, undefined), type: "session", change: "loaded" },
  { ...item(-650), type: "prompt", replayed: true, prompt: text("What does `deliver()` do?") },
  {
    ...item(-649),
    type: "message",
    replayed: true,
    text: "It posts one event to one endpoint, once.",
    content: [],
    endedAt: at(-648)
  },
  { ...item(-640, one), type: "prompt", prompt: text("Rename the helper and run the tests.") },
  {
    ...item(-638, one),
    type: "tool",
    tool: tool(-638, 38, {
      title: "Find `**/*`",
      kind: "search",
      subject: { type: "search", pattern: "**/*.ts" },
      result: { count: 214, truncated: true }
    })
  },
  {
    ...item(-630, one),
    type: "tool",
    tool: tool(-630, 400, {
      kind: "edit",
      subject: { type: "file", path: "/home/ada/ledger/src/webhooks/backoff.ts" },
      diffs: [
        {
          path: "/home/ada/ledger/src/webhooks/backoff.ts",
          oldText: null,
          newText:
            "export const backoff = (attempt: number): number =>\n  Math.min(2 ** attempt * 250, 300_000) * Math.random()\n"
        }
      ]
    })
  },
  { ...item(-620, one), type: "message", text: "Done.", content: [], endedAt: at(-619) },
  { ...item(-20, two), type: "prompt", prompt: text("Explain it in **one** table, with the code.") },
  {
    ...item(-18, two),
    type: "message",
    endedAt: at(-12),
    content: [
      { type: "resource_link", uri: "file:///home/ada/ledger/README.md", name: "README.md" },
      { type: "image", mimeType: "image/png", data: "iVBORw0KGgo=" }
    ],
    text: `# Retries\n\nFour rules, see [the docs](https://example.com/retry) or [this](javascript:alert(1)):\n\n1. Only **idempotent** deliveries\n2. \`408\` and \`429\` are retried\n   - so is every \`5xx\`\n3. ~~Never~~ at most eight times\n\n- [x] backoff\n- [ ] jitter\n\n| Status | Retried | Wait |\n|---|---|---:|\n| 408 | yes | 1 s |\n| 429 | yes | Retry-After |\n| 4xx | no | |\n\n> A quote of the RFC: 3 &lt; 4 &amp; &copy;.\n\n![chart](https://example.com/chart.png)\n\n\`\`\`ts\nexport const retryable = (status: number): boolean =>\n  status === 408 || status === 429 || status >= 500\n\`\`\`\n\n<script>alert("shown as text")</script>`
  },
  {
    ...item(-11, two),
    type: "warning",
    message: "effort could not be set to `high` again.",
    detail: "The model no longer offers it."
  },
  {
    ...item(-10, two),
    type: "unknown",
    kind: "usage_hint",
    reason: "Signalbox does not know this update.",
    raw: '{"sessionUpdate":"usage_hint","tokens":[1,2,3]}'
  },
  {
    ...item(-9, two),
    type: "subagent",
    name: "explore",
    task: "Find every caller of deliver()",
    state: "completed",
    durationMs: 8123
  },
  {
    ...item(-8, two),
    itemId: ItemId.make("subagent-planner"),
    type: "subagent",
    name: "planner",
    task: "Plan the migration of the ledger",
    state: "running",
    activity: "Task: Count the callers"
  },
  {
    ...item(-8, two),
    itemId: ItemId.make("subagent-counter"),
    type: "subagent",
    name: "counter",
    task: "Count the callers of post()",
    state: "running",
    activity: "grep post(",
    parent: { itemId: ItemId.make("subagent-planner"), depth: 0 }
  },
  {
    ...item(-8, two),
    itemId: ItemId.make("subagent-reader"),
    type: "subagent",
    name: "reader",
    state: "completed",
    said: "There are eleven.",
    parent: { itemId: ItemId.make("subagent-counter"), depth: 1 }
  },
  { ...item(-8, two), type: "subagent", name: "reviewer", state: "background", durationMs: 200 },
  { ...item(-7, two), type: "file", path: "/home/ada/ledger/logo.png", description: "A logo" },
  {
    ...item(0, three),
    type: "prompt",
    prompt: text(
      "Webhook deliveries give up after the first 5xx. Add retries with exponential backoff and full jitter: at most 8 attempts, capped at 5 minutes. Never retry a 4xx except 408 and 429, and honour `Retry-After`. Keep the signature of `deliver()`."
    )
  },
  {
    ...item(2, three),
    type: "thought",
    text: "I should read how a delivery is scheduled today. ".repeat(24),
    endedAt: at(11.1)
  },
  {
    ...item(11, three),
    type: "message",
    text: "I’ll read how a delivery is scheduled today, then put the waiting time into a pure function and use it from the worker. `deliver()` keeps its signature; the attempt number travels in the event row.",
    content: [],
    endedAt: at(13)
  },
  {
    ...item(14, three),
    type: "tool",
    tool: tool(14, 38, {
      title: "Read File",
      kind: "read",
      subject: { type: "file", path: "/home/ada/ledger/src/webhooks/deliver.ts" },
      result: { text: "line\n".repeat(142) },
      rawInput: '{"path":"src/webhooks/deliver.ts"}'
    })
  },
  {
    ...item(14, three),
    type: "tool",
    tool: tool(14, 31, {
      kind: "read",
      subject: { type: "file", path: "/home/ada/ledger/src/webhooks/gone.ts" },
      result: { error: "ENOENT: no such file" }
    })
  },
  {
    ...item(16, three),
    type: "tool",
    tool: tool(16, 54, {
      kind: "search",
      subject: { type: "search", pattern: "deliver\\(", path: "src, test" },
      result: { count: 11 }
    })
  },
  {
    ...item(22, three),
    type: "request",
    request: {
      type: "approval",
      requestId: RequestId.make("r0"),
      tool: tool(21, undefined, {
        title: "`pnpm vitest run src/webhooks`",
        kind: "execute",
        subject: { type: "command", command: "pnpm vitest run src/webhooks" }
      }),
      reason: "Not in allowlist",
      options: [{ optionId: "a", name: "Allow once", kind: "allow_once" }],
      at: at(20)
    },
    outcome: { type: "answered", response: { type: "option", optionId: "a" } }
  },
  {
    ...item(51, three),
    type: "tool",
    tool: tool(51, 200, {
      title: "Edit `deliver.ts`",
      kind: "edit",
      subject: { type: "file", path: "/home/ada/ledger/src/webhooks/deliver.ts" },
      diffs: [{ path: "/home/ada/ledger/src/webhooks/deliver.ts", oldText: deliverBefore, newText: deliverAfter }],
      rawInput: '{"path":"a"}'
    })
  },
  {
    ...item(60, three),
    type: "tool",
    tool: tool(60, 1900, {
      kind: "execute",
      subject: { type: "command", command: "pnpm --filter db exec prisma validate" },
      result: { exitCode: 0 }
    })
  },
  {
    ...item(65, three),
    type: "tool",
    tool: tool(65, 20, {
      kind: "execute",
      status: "rejected",
      subject: { type: "command", command: "rm -rf /tmp/seed \u202e gpj.exe" }
    })
  },
  {
    ...item(67, three),
    type: "tool",
    tool: tool(67, 20, {
      kind: "edit",
      status: "rejected",
      subject: { type: "file", path: "/home/ada/ledger/src/webhooks/deliver.ts" },
      diffs: [{ path: "/home/ada/ledger/src/webhooks/deliver.ts", oldText: "retry(3)\n", newText: "retry(30)\n" }]
    })
  },
  {
    ...item(70, three),
    type: "tool",
    tool: tool(70, 2000, {
      kind: "fetch",
      status: "cancelled",
      subject: { type: "url", url: "https://example.com/rfc9110" }
    })
  },
  {
    ...item(71, three),
    type: "tool",
    tool: tool(71, 300, { kind: "other", title: "Update TODOs: a, b", status: "completed" })
  },
  {
    ...item(72, three),
    type: "tool",
    tool: tool(72, 300, {
      kind: "other",
      title: "linear: search",
      subject: { type: "mcp", server: "linear", tool: "search_issues", args: '{"query":"retry"}' },
      result: { text: "3 issues" }
    })
  },
  {
    ...item(100, three),
    type: "tool",
    tool: tool(100, 3800, {
      title: "`pnpm vitest run src/webhooks`",
      kind: "execute",
      subject: { type: "command", command: "pnpm vitest run src/webhooks" },
      result: { exitCode: 1, stdout: vitest },
      rawInput: '{"command":"pnpm vitest run src/webhooks"}',
      rawOutput: '{"exitCode":1}'
    })
  },
  {
    ...item(130, three),
    type: "message",
    text: 'One case fails for a good reason: `Retry-After` may also be an HTTP date, and `Number("Fri, 20 Nov …")` is `NaN`. I’ll parse both forms in `retryAfter()` and clamp the result to the cap, so that a wrong clock on the other side can’t',
    content: []
  }
]

const turn = (turnId: TurnId, seconds: number, prompt: string, rest: Partial<TurnView>): TurnView => ({
  turnId,
  prompt: text(prompt),
  status: "completed",
  queuedAt: at(seconds),
  sentAt: at(seconds),
  ...rest
})

export const working: ThreadView = {
  threadId: ThreadId.make("thread-working"),
  sequence: Sequence.make(412),
  title: "Retry webhook deliveries",
  titled: false,
  provider: { id: ProviderId.make("cursor"), kind: "cursor", name: "Cursor", simulated: false },
  cwd: "/home/ada/ledger",
  createdAt: at(-900),
  updatedAt: at(134),
  session: { state: "ready", providerSessionId: ProviderSessionId.make("p1"), origin: "loaded" },
  settings: [],
  desired: {},
  commands: [],
  plan: [
    { content: "Find every caller of deliver()", status: "completed" },
    { content: "Add backoff() with full jitter", status: "completed" },
    { content: "Use it in the delivery worker", status: "in_progress" },
    { content: "Honour Retry-After, seconds and date", status: "pending" },
    { content: "Cover 408, 429, 4xx, 5xx and attempt 8", status: "pending" }
  ],
  planned: { turnId: three, at: at(17), changedAt: at(98) },
  turns: [
    turn(one, -640, "Rename", { endedAt: at(-532), stopReason: "end_turn" }),
    turn(two, -20, "Explain", { status: "cancelled", endedAt: at(-2), interruptedAt: at(-4), stopReason: "cancelled" }),
    turn(three, 0, "Retries", { status: "working" })
  ],
  items: entries,
  requests: []
}

/** Every way to end badly. */
export const troubled: ThreadView = {
  ...working,
  threadId: ThreadId.make("thread-troubled"),
  plan: [],
  turns: [
    turn(one, 0, "Fix the flaky map tests.", { status: "failed", endedAt: at(41), problem: crashed }),
    turn(two, 60, "Try again.", { status: "failed", sentAt: at(60), endedAt: at(61), problem: loggedOut }),
    turn(three, 120, "Then run everything once more.", { status: "lost", endedAt: at(200), problem: lost }),
    turn(four, 230, "And?", { status: "limited", endedAt: at(240), stopReason: "max_tokens", problem: limit }),
    turn(five, 250, "Write me a virus.", { status: "refused", endedAt: at(251), stopReason: "refusal" })
  ].map((view) => {
    if (view.turnId !== two) return view
    const { sentAt: _, ...unsent } = view
    return unsent
  }),
  items: [
    { ...item(0, one), type: "prompt", prompt: text("Fix the flaky map tests.") },
    {
      ...item(1, one),
      type: "tool",
      tool: tool(1, 40_000, {
        kind: "execute",
        status: "unfinished",
        subject: { type: "command", command: "pnpm test map" },
        result: { stdout: "collecting …\n" }
      })
    },
    { ...item(41, one), type: "problem", problem: crashed },
    { ...item(42, one), type: "message", late: true, text: "A late word.", content: [], endedAt: at(43) },
    {
      ...item(50),
      type: "session",
      change: "replaced",
      problem: {
        code: "session-not-found",
        title: "The earlier session could not be taken up.",
        cause: "`session/load` answered −32602, “Session not found”.",
        evidence: {},
        nextSteps: []
      }
    },
    { ...item(61, two), type: "problem", problem: loggedOut },
    { ...item(120, three), type: "prompt", prompt: text("Then run everything once more.") },
    { ...item(200, three), type: "problem", problem: lost },
    { ...item(230, four), type: "prompt", prompt: text("And?") },
    { ...item(240, four), type: "problem", problem: limit },
    { ...item(250, five), type: "prompt", prompt: text("Write me a virus.") },
    { ...item(251, five), type: "message", text: "I can’t help with that.", content: [], endedAt: at(251) }
  ],
  requests: []
}
