/** What the arguments of the component and of its adapter say. */
import type { ServerDefinition } from "@signalbox/lsp/ServerDefinition"
import * as CommandWords from "@signalbox/process/CommandWords"
import * as Result from "effect/Result"
import { parseArgs } from "node:util"
import * as ComponentArguments from "../../ComponentArguments.ts"

export interface Settings {
  /** Language servers of people, as they have named them. */
  readonly definitions: ReadonlyArray<ServerDefinition>
  /** Whether known servers of this machine are used for other languages. */
  readonly findsKnown: boolean
  /** Whether the agent learns, with its next prompt, of errors that its edits have left. */
  readonly reportsErrors: boolean
}

export const usage = '[--server "LANGUAGE[,LANGUAGE…]=COMMAND ARGS"] … [--only-these-servers] [--report-errors]'

const mostServers = 32
const languageForm = /^[a-z][a-z0-9.+#-]{0,39}$/

/** Programs that run others. Their names say nothing of a server. */
const runners: ReadonlySet<string> = new Set("bash bun deno env java node npx python python3 sh uvx".split(" "))

const nameOf = (command: string, languages: ReadonlyArray<string>): string => {
  const name = command.split("/").at(-1) ?? command
  return runners.has(name) ? `${languages.join(", ")} server` : name
}

const definitionOf = (text: string, index: number): ServerDefinition => {
  const at = text.indexOf("=")
  const languages = text.slice(0, Math.max(at, 0)).split(",")
  const shown = JSON.stringify(text.slice(0, 80))
  if (!languages.every((language) => languageForm.test(language)))
    throw new Error(
      `--server ${shown} does not begin with a language and "=", such as python=pyright-langserver --stdio.`
    )
  const words = CommandWords.split(text.slice(at + 1).trim())
  if (Result.isFailure(words)) throw new Error(`The command of --server ${shown} can't be read: ${words.failure}.`)
  const [command = "", ...args] = words.success
  return {
    id: `server-${index + 1}`,
    name: nameOf(command, languages),
    command,
    args,
    languages,
    rootMarkers: []
  }
}

/** Fails with a sentence that says what is wrong. */
export const of = (args: ReadonlyArray<string>): Result.Result<Settings, string> =>
  ComponentArguments.read(usage, () => {
    const { values } = parseArgs({
      args: [...args],
      options: {
        server: { type: "string", multiple: true, default: [] },
        "only-these-servers": { type: "boolean", default: false },
        "report-errors": { type: "boolean", default: false }
      }
    })
    if (values.server.length > mostServers) throw new Error(`It takes at most ${mostServers} language servers.`)
    return {
      definitions: values.server.map(definitionOf),
      findsKnown: !values["only-these-servers"],
      reportsErrors: values["report-errors"]
    }
  })
