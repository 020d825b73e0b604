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

/** Words for the client that gave an answer: "on the page “phone”". */
export const clientWords = ({ id, kind, name }: AnsweringClient): string => {
  switch (kind) {
    case "page":
      if (id !== undefined) return name === undefined ? `on the page ${id}` : `on the page “${name}”`
      return name === undefined ? "on the page" : `on the page, browser ${name}`
    case "program":
      if (id === undefined) return "by a program with the server's token"
      return name === undefined ? `by the program ${id}` : `by the program “${name}”`
    case "run":
      return name === undefined || name === "terminal" ? "in the terminal of signalbox run" : `by signalbox run ${name}`
  }
}
