/** Threads that wait: one for each kind of request. */
import { RequestId, ThreadId } from "@signalbox/contracts/Ids"
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
      subject: {
        type: "command",
        command:
          "cd packages/db && pnpm run migrate:deploy --env staging && rm -rf ../../../seed-cache; echo $(whoami) | tee \u202elog.txt"
      },
      rawInput: '{"command":"cd packages/db && …"}'
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
    subject: { type: "file", path: "/home/ada/.bashrc" },
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
    subject: { type: "url", url: "https://exаmple.com/rfc9110?token=abc#section-10.2.3" }
  })
)

export const mcp = waiting(
  "mcp",
  approval("a5", {
    title: "linear: create",
    subject: { type: "mcp", server: "linear", tool: "create_issue", args: '{"title":"Retry","labels":["bug"]}' }
  })
)

export const asks = waiting("asks", question)

export const proposes = waiting("proposes", plan)
