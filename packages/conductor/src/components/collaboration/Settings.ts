/** What the arguments of the component say. */
import type * as Result from "effect/Result"
import { homedir } from "node:os"
import { isAbsolute, join, resolve } from "node:path"
import { parseArgs } from "node:util"
import * as PersonaName from "./PersonaName.ts"
import * as ComponentArguments from "../../ComponentArguments.ts"

/** How a session is opened: by a turn of its own, before the first prompt within it, or not at all. */
export type Way = "turn" | "prompt" | "none"

export interface Settings {
  readonly way: Way
  /** Whether the agent gets the tools of the memory. */
  readonly hasTools: boolean
  /** The absolute file with the text that opens a session. Undefined: our own. */
  readonly text: string | undefined
  readonly persona: string
  /** The absolute folder of the memory. */
  readonly folder: string
  /** The time limit of a turn that opens a session, in seconds. */
  readonly seconds: number
}

export const usage =
  "[--way prompt|turn|none] [--text FILE] [--persona NAME] [--folder FOLDER] [--timeout SECONDS] [--no-tools]"

const ways: ReadonlyArray<Way> = ["turn", "prompt", "none"]
const mostSeconds = 3600

const defaultFolder = (): string => {
  const data = process.env["XDG_DATA_HOME"] ?? ""
  return join(isAbsolute(data) ? data : join(homedir(), ".local", "share"), "signalbox", "collaboration")
}

const wayOf = (text: string): Way => {
  const way = ways.find((one) => one === text)
  if (way === undefined) throw new Error("--way is one of prompt, turn, none.")
  return way
}

const personaOf = (text: string): string => {
  if (!PersonaName.isOne(text)) throw new Error(`--persona is a name. ${PersonaName.rule}`)
  return text
}

/** Fails with a sentence that says what is wrong. */
export const of = (args: ReadonlyArray<string>): Result.Result<Settings, string> =>
  ComponentArguments.read(usage, () => {
    const { values } = parseArgs({
      args: [...args],
      options: {
        way: { type: "string", default: "prompt" },
        text: { type: "string" },
        persona: { type: "string", default: PersonaName.standard },
        folder: { type: "string", default: defaultFolder() },
        timeout: { type: "string", default: "120" },
        "no-tools": { type: "boolean", default: false }
      }
    })
    return {
      way: wayOf(values.way),
      hasTools: !values["no-tools"],
      text: values.text === undefined ? undefined : resolve(values.text),
      persona: personaOf(values.persona),
      folder: resolve(values.folder),
      seconds: ComponentArguments.numberIn("--timeout", values.timeout, mostSeconds, "seconds")
    }
  })
