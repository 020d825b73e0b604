/** Words about approvals that the page and the command line share. */
import type { AnsweringClient, ApprovalFact } from "./AgentRequest.ts"

const facts: Readonly<Record<ApprovalFact, string>> = {
  kind: "the kind of call",
  input: "the input",
  diff: "the change of files",
  paths: "where its paths lead",
  folder: "the folder",
  agent: "the agent"
}

/** "the input and where its paths lead" */
export const changedWords = (changed: ReadonlyArray<ApprovalFact>): string => {
  const words = changed.map((fact) => facts[fact])
  const last = words.pop() ?? "what it asks for"
  return words.length === 0 ? last : `${words.join(", ")} and ${last}`
}

/** Words for the client that gave an answer: "on the page, browser 4f2a9c". */
export const clientWords = ({ kind, name }: AnsweringClient): string => {
  switch (kind) {
    case "page":
      return name === undefined ? "on the page" : `on the page, browser ${name}`
    case "program":
      return "by a program with the server's token"
    case "run":
      return name === undefined || name === "terminal" ? "in the terminal of signalbox run" : `by signalbox run ${name}`
  }
}
