/** A tool call in words: what is done, to what, how it ended. The words are ours, the subject is the agent's. */
import {
  exitCodeOf,
  isRunning,
  signalOf,
  subjectOf,
  type ToolCall,
  type ToolKind,
  wentWrong
} from "@signalbox/contracts/ToolCall"
import { stepsOf } from "@signalbox/contracts/Research"
import type { IconName } from "../design/Icon.tsx"
import { count } from "./figures.ts"
import { longPart } from "./longTexts.ts"
import { countLines } from "@signalbox/contracts/OutputLines"
import { pathWithin, shownPath } from "@signalbox/contracts/Paths"

type Act =
  | "read"
  | "create"
  | "edit"
  | "delete"
  | "move"
  | "search"
  | "run"
  | "command"
  | "think"
  | "fetch"
  | "mode"
  | "tool"
  | "task"
  | "walkthrough"
  | "research"
  | "work"

interface Words {
  readonly icon: IconName
  /** While it goes on. */
  readonly doing: string
  /** When it is done. */
  readonly done: string
  /** After "tried to" and "wanted to". */
  readonly infinitive: string
}

const acts: { readonly [Key in Act]: Words } = {
  read: { icon: "read", doing: "Reading", done: "Read", infinitive: "read" },
  create: { icon: "edit", doing: "Creating", done: "Created", infinitive: "create" },
  edit: { icon: "edit", doing: "Editing", done: "Edited", infinitive: "edit" },
  delete: { icon: "x", doing: "Deleting", done: "Deleted", infinitive: "delete" },
  move: { icon: "swap", doing: "Moving", done: "Moved", infinitive: "move" },
  search: { icon: "grep", doing: "Searching", done: "Searched", infinitive: "search" },
  run: { icon: "run", doing: "Running", done: "Ran", infinitive: "run" },
  // What was run is not known: what follows are the agent's words.
  command: { icon: "run", doing: "Running a command", done: "Ran a command", infinitive: "run a command" },
  think: { icon: "thought", doing: "Thinking", done: "Thought", infinitive: "think" },
  fetch: { icon: "in", doing: "Fetching", done: "Fetched", infinitive: "fetch" },
  mode: { icon: "swap", doing: "Switching mode", done: "Switched mode", infinitive: "switch mode" },
  tool: { icon: "agent", doing: "Using", done: "Used", infinitive: "use" },
  task: { icon: "agent", doing: "Sub-agent at work", done: "Sub-agent", infinitive: "start a sub-agent" },
  walkthrough: { icon: "plan", doing: "Presenting", done: "Presented", infinitive: "present" },
  research: { icon: "grep", doing: "Researching", done: "Researched", infinitive: "research" },
  work: { icon: "gear", doing: "Using a tool", done: "Used a tool", infinitive: "use a tool" }
}

const byKind: { readonly [Kind in ToolKind]: Act } = {
  read: "read",
  edit: "edit",
  delete: "delete",
  move: "move",
  search: "search",
  execute: "run",
  think: "think",
  fetch: "fetch",
  switch_mode: "mode",
  other: "work"
}

const actOf = (tool: ToolCall): Act => {
  const { diffs, kind } = tool
  const act = byKind[kind]
  if (tool.walkthrough !== undefined) return "walkthrough"
  if (tool.research !== undefined) return "research"
  const subject = subjectOf(tool)
  switch (subject.type) {
    case "command":
      return "run"
    case "search":
      return "search"
    case "url":
      return "fetch"
    case "mcp":
      return "tool"
    case "task":
      return "task"
    case "file":
    case "none":
      if (act === "run") return "command"
      return act === "edit" && diffs.length > 0 && diffs.every(({ oldText }) => oldText === null) ? "create" : act
  }
}

export const toolIcon = (tool: ToolCall): IconName => acts[actOf(tool)].icon

/**
 * A change of files that ended without a word about it, as those do that a mode blocks. Nobody knows that it happened.
 * A result that nobody could read is a word about it; an empty one is not.
 */
const endedSilently = (tool: ToolCall): boolean => {
  const { content, diffs, rawOutput, result, status } = tool
  const act = actOf(tool)
  if (status !== "completed" || (act !== "edit" && act !== "delete" && act !== "move")) return false
  const told = Object.values(result ?? {}).some((value) => value !== "")
  return !told && diffs.length === 0 && content.length === 0 && (rawOutput === undefined || rawOutput === "{}")
}

/** Why changes that a call wanted are not known to be made; undefined while it goes on, and where they are made. */
export const notApplied = (tool: ToolCall): string | undefined => {
  if (isRunning(tool)) return undefined
  if (tool.status === "rejected") return "not applied"
  if (tool.status === "cancelled" || tool.status === "unfinished") return "not confirmed"
  return wentWrong(tool) ? "failed" : undefined
}

/** Whether nothing is known to have begun, so that it took no time either. `asked` as in `toolVerb`. */
export const wasOnlyWanted = (tool: ToolCall, asked: boolean): boolean =>
  tool.status === "rejected" ||
  endedSilently(tool) ||
  (asked && (tool.status === "cancelled" || tool.status === "unfinished"))

/**
 * "Running", "Ran", "Tried to read", "Wanted to run". A command that exits with 1 did run.
 * `asked`: people were asked to allow it and have not answered. Agents call it running already.
 */
export const toolVerb = (tool: ToolCall, asked = false): string => {
  const words = acts[actOf(tool)]
  if (asked && isRunning(tool)) return `Wants to ${words.infinitive}`
  if (isRunning(tool)) return words.doing
  if (wasOnlyWanted(tool, asked)) return `Wanted to ${words.infinitive}`
  if (tool.status === "cancelled" || tool.status === "unfinished") return `Was ${lower(words.doing)}`
  return wentWrong(tool) && exitCodeOf(tool) === undefined ? `Tried to ${words.infinitive}` : words.done
}

const lower = (words: string): string => words.charAt(0).toLowerCase() + words.slice(1)

export interface Subject {
  readonly text: string
  /** `machine`: a path, a command. `words`: the agent's own name for it. */
  readonly voice: "machine" | "words"
  /** The place of a search. */
  readonly within?: string
}

export const toolSubject = (tool: ToolCall, cwd: string): Subject => {
  const { diffs, locations, research, title, walkthrough } = tool
  if (research !== undefined) return { text: `${research.package} ${research.version}`, voice: "machine" }
  if (walkthrough !== undefined) return { text: walkthrough.title, voice: "words" }
  const subject = subjectOf(tool)
  switch (subject.type) {
    case "command":
      return { text: subject.command, voice: "machine" }
    case "file":
      return { text: shownPath(subject.path, cwd), voice: "machine" }
    case "search":
      return {
        text: subject.pattern,
        voice: "machine",
        ...(subject.path !== undefined && { within: shownPath(subject.path, cwd) })
      }
    case "url":
      return { text: subject.url, voice: "machine" }
    case "mcp":
      return { text: `${subject.server}: ${subject.tool}`, voice: "machine" }
    case "task":
      return { text: subject.description, voice: "words" }
    case "none": {
      const path = diffs[0]?.path ?? locations[0]?.path
      return path === undefined ? { text: title, voice: "words" } : { text: shownPath(path, cwd), voice: "machine" }
    }
  }
}

/** The file in a folder that a call is about: its path from there, and its line, from 1. Undefined if there is none. */
export const fileOf = (
  tool: ToolCall,
  cwd: string
): { readonly path: string; readonly line?: number | undefined } | undefined => {
  const subject = subjectOf(tool)
  // Its steps open their files.
  if (tool.walkthrough !== undefined || tool.research !== undefined) return undefined
  if (subject.type !== "file" && subject.type !== "none") return undefined
  const path = subject.type === "file" ? subject.path : (tool.diffs[0]?.path ?? tool.locations[0]?.path)
  const shown = path === undefined ? undefined : pathWithin(path, cwd)
  if (shown === undefined) return undefined
  return { path: shown, line: tool.locations.find((place) => shownPath(place.path, cwd) === shown)?.line }
}

/** What its command ended with. */
const endingOf = (tool: ToolCall): string | undefined => {
  const exitCode = exitCodeOf(tool)
  return exitCode === undefined ? signalOf(tool) : `exit ${exitCode}`
}

/** How it ended, in a word or a figure; undefined while it runs and when there is nothing to add. */
export const toolOutcome = (tool: ToolCall): string | undefined => {
  const { result, status } = tool
  if (isRunning(tool)) return undefined
  if (status === "rejected") return status
  const ending = endingOf(tool)
  if (status === "cancelled" || status === "unfinished") {
    const word = status === "cancelled" ? status : "ended"
    return ending === undefined ? word : `${word}, ${ending}`
  }
  if (ending !== undefined) return ending
  if (tool.research?.state === "cancelled") return "cancelled"
  if (wentWrong(tool)) return "failed"
  if (tool.research !== undefined) return count(stepsOf(tool.research), "step")
  if (tool.walkthrough !== undefined) return count(tool.walkthrough.steps.length, "step")
  if (result?.count !== undefined) {
    const found = actOf(tool) === "search" ? count(result.count, "match", "matches") : count(result.count, "result")
    return result.truncated ? `${found}, cut short` : found
  }
  const long = longPart(tool, "text")
  if (long) return count(long.length, "character")
  if (result?.text !== undefined && result.text !== "") return count(countLines(result.text), "line")
  return endedSilently(tool) ? "no result" : undefined
}
