/**
 * Answers to requests for permission that people have given beforehand, in an agent's settings. They choose by the kind of the call
 * and never for good: an option that allows or refuses always is for people to take. What a call is about comes from its input, as
 * far as that can be read; where it can't, or leads out of the session's folders, people are asked.
 */
import type { AgentRequest } from "@signalbox/contracts/AgentRequest"
import type { PermissionProfile } from "@signalbox/contracts/Provider"
import type { ToolCall, ToolKind } from "@signalbox/contracts/ToolCall"
import { isAbsolute, relative, resolve } from "node:path"

type Approval = Pick<Extract<AgentRequest, { readonly type: "approval" }>, "options" | "tool">

const reading: ReadonlySet<ToolKind> = new Set(["read", "search"])
const changing: ReadonlySet<ToolKind> = new Set(["edit", "delete", "move", "execute"])

/** The option to take; undefined where people decide. `folders`: the session's, absolute, its working folder first. */
export const choose = (
  profile: PermissionProfile,
  { options, tool }: Approval,
  folders: ReadonlyArray<string>
): string | undefined => {
  const kind = answerKind(profile, tool, folders)
  return kind === undefined ? undefined : options.find((option) => option.kind === kind)?.optionId
}

const answerKind = (profile: PermissionProfile, tool: ToolCall, folders: ReadonlyArray<string>) => {
  if (profile === "ask") return undefined
  if (reading.has(tool.kind)) return onlyReads(tool, folders) ? "allow_once" : undefined
  return profile === "read-only" && changing.has(tool.kind) ? "reject_once" : undefined
}

/** The kind is the agent's word; that nothing else is done shows in the input. */
const onlyReads = ({ diffs, subject }: ToolCall, folders: ReadonlyArray<string>): boolean => {
  if (diffs.length > 0) return false
  if (subject.type === "file") return isWithin(subject.path, folders)
  return subject.type === "search" && (subject.path === undefined || isWithin(subject.path, folders))
}

const isWithin = (path: string, folders: ReadonlyArray<string>): boolean =>
  folders.some((folder) => {
    const way = relative(folder, resolve(folders[0] ?? "/", path))
    return way === "" || (way !== ".." && !way.startsWith("../") && !isAbsolute(way))
  })
