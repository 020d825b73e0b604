/** Entries for tests of the audit log. */
import { ProviderId, ProviderSessionId, RequestId, ThreadId } from "@signalbox/contracts/Ids"
import type { AuditDraft } from "../../../src/audit/AuditChain.ts"

type Decision = Extract<AuditDraft, { readonly type: "decision" }>

/** A decision about `ls`, with some members changed. */
export const decision = (changed: Partial<Decision> = {}): Decision => ({
  type: "decision",
  at: 1_000,
  requestId: RequestId.make("r1"),
  threadId: ThreadId.make("t1"),
  sessionId: ProviderSessionId.make("s1"),
  agent: ProviderId.make("cursor"),
  folder: "/home/ann/shop",
  kind: "permission",
  title: "ls",
  asked: '{"command":"ls"}',
  outcome: "answered",
  effect: "allow",
  by: { type: "person" },
  ...changed
})

export const rule = {
  id: "0123456789abcdef",
  effect: "allow",
  source: "user",
  file: "/home/ann/rules.json",
  line: 3,
  number: 1,
  text: "allow command ls, everywhere"
} as const
