/** Threads that wait: one for each kind of request. */
import { ItemId, RequestId, ThreadId } from "@signalbox/contracts/Ids"
import type { AgentRequest } from "@signalbox/contracts/AgentRequest"
import type { ThreadView } from "@signalbox/contracts/ThreadView"
import type { ToolCall } from "@signalbox/contracts/ToolCall"
import { start, tool, working } from "./thread.ts"

const at = start + 180_000

const waiting = (name: string, ...requests: ReadonlyArray<AgentRequest>): ThreadView => ({
  ...working,
  threadId: ThreadId.make(`thread-${name}`),
  plan: [],
  turns: working.turns.map((turn) => (turn.status === "working" ? { ...turn, status: "waiting" } : turn)),
  items: working.items.slice(-8, -1),
  requests: requests.map((request) => ({ request, answered: false }))
})

const approval = (id: string, call: Partial<ToolCall>, reason?: string): AgentRequest => ({
  type: "approval",
  requestId: RequestId.make(id),
  tool: tool(178, undefined, call),
  options: [
    { optionId: "allow-once", name: "Allow once", kind: "allow_once" },
    { optionId: "allow-always", name: "Allow always", kind: "allow_always" },
    { optionId: "reject-once", name: "Reject", kind: "reject_once" }
  ],
  at,
  ...(reason !== undefined && { reason })
})

const question: AgentRequest = {
  type: "question",
  requestId: RequestId.make("q1"),
  title: "Clarify",
  questions: [
    {
      id: "lib",
      prompt: "Which library should replace moment in the booking calendar?",
      allowMultiple: false,
      options: [
        { id: "a", label: "Temporal with a polyfill" },
        { id: "b", label: "date-fns 5, already a dependency of atlas-ui" },
        { id: "c", label: "Neither, keep moment for now" }
      ]
    },
    {
      id: "where",
      prompt: "Where?",
      allowMultiple: true,
      options: [
        { id: "web", label: "Web" },
        { id: "mail", label: "Mail templates" }
      ]
    }
  ],
  at
}

const plan: AgentRequest = {
  type: "plan",
  requestId: RequestId.make("p1"),
  name: "Four lanes",
  overview: "Run lint, types, unit and browser tests side by side, and share one install through the store cache.",
  plan: `# Plan\n\n1. Extract the install into \`ci/setup.yml\`\n2. Turn \`test\` into a matrix of four lanes\n3. Key the cache by lockfile and Node version\n4. Make \`merge-gate\` wait for all lanes\n\n${"More detail about one step.\n\n".repeat(8)}`,
  entries: [
    { content: "Extract the install", status: "pending" },
    { content: "Matrix of four lanes", status: "pending" }
  ],
  at
}

export const command = waiting(
  "command",
  approval(
    "a1",
    {
      title: "`cd packages/db && pnpm run migrate:deploy`",
      kind: "execute",
      rawInput: JSON.stringify({
        command:
          "cd packages/db && pnpm run migrate:deploy --env staging && rm -rf ../../../seed-cache; echo $(whoami) | tee \u202elog.txt",
        env: { PGPASSFILE: "/home/ada/.pgpass" },
        sandbox: { profile: "none", mounts: ["/", "/home"] }
      })
    },
    "Check migration status and tidy up temporary files"
  ),
  question,
  plan
)

export const uninspectable = waiting(
  "none",
  approval("a2", { title: "Do the needful", rawInput: '{"_toolName":"mystery","payload":"c2VjcmV0"}' })
)

export const edit = waiting(
  "edit",
  approval("a3", {
    title: "Edit `~/.bashrc`",
    kind: "edit",
    rawInput: '{"path":"/home/ada/.bashrc"}',
    diffs: [
      {
        path: "/home/ada/.bashrc",
        oldText: "export PATH=$PATH:~/bin\n",
        newText: "export PATH=$PATH:~/bin:/tmp/evil\n"
      }
    ]
  })
)

export const fetch = waiting(
  "fetch",
  approval("a4", {
    title: "Fetch https://exаmple.com",
    kind: "fetch",
    rawInput: '{"url":"https://exаmple.com/rfc9110?token=abc#section-10.2.3"}'
  })
)

export const mcp = waiting(
  "mcp",
  approval("a5", {
    title: "linear: create",
    rawInput: '{"server":"linear","tool":"create_issue","args":{"title":"Retry","labels":["bug"]}}'
  })
)

export const asks = waiting("asks", question)

export const proposes = waiting("proposes", plan)

const form: AgentRequest = {
  type: "form",
  requestId: RequestId.make("f1"),
  message: "The deployment needs a few facts that are in none of the files.",
  title: "Deployment",
  description: "They go into deploy.yml.",
  fields: [
    { type: "text", name: "name", label: "Name of the service", required: true, minLength: 2, initial: "blog" },
    {
      type: "choice",
      name: "region",
      label: "Region",
      description: "Where its data is kept.",
      required: true,
      options: [
        { value: "eu", label: "Europe" },
        { value: "us", label: "America", description: "costs more" }
      ]
    },
    { type: "number", name: "copies", label: "Copies", required: true, integer: true, minimum: 1, maximum: 5 },
    { type: "boolean", name: "loud", label: "Tell the channel", required: false, initial: true },
    {
      type: "choices",
      name: "lanes",
      label: "Lanes",
      required: false,
      options: [
        { value: "lint", label: "lint" },
        { value: "unit", label: "unit" }
      ]
    },
    { type: "text", name: "day", label: "Not before", required: false, format: "date" }
  ],
  omitted: [{ name: "colour", kind: "_colour" }],
  at
}

export const fills = waiting("fills", form)

export const opens = waiting("opens", {
  type: "url",
  requestId: RequestId.make("u1"),
  message: "Sign in to Linear, so that I can read the issue.",
  url: "https://linear.app@xn--80ak6aa92e.com/oauth/authorize?client_id=4f2a&scope=read&state=b0c1",
  elicitationId: "e1",
  at
})

/** Programs that Signalbox runs for the agent. */
export const terminals: ThreadView = {
  ...working,
  threadId: ThreadId.make("thread-terminals"),
  plan: [],
  requests: [],
  items: [
    ...working.items.slice(0, 1),
    ...(["running", "exited"] as const).map((state, index) => ({
      type: "tool" as const,
      itemId: ItemId.make(`terminal-${state}`),
      at: at + index,
      tool: tool(178, undefined, {
        title: "pnpm test",
        kind: "execute",
        status: state === "running" ? "in_progress" : "failed",
        subject: { type: "command", command: "pnpm test" },
        terminals: [
          {
            terminalId: `terminal-${index}`,
            state,
            command: "pnpm test --filter atlas-ui",
            cwd: "/home/ada/atlas/packages/ui",
            output: "\u001b[32m✓\u001b[0m calendar.test.ts (12)\n\u001b[31m✗\u001b[0m booking.test.ts (3)\n",
            truncated: true,
            ...(state === "exited" && { exitCode: 1 })
          },
          ...(state === "exited"
            ? [{ terminalId: "term-7", state: "missing" as const, output: "", truncated: false }]
            : [])
        ]
      })
    }))
  ]
}
