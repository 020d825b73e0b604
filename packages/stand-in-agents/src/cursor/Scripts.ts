import type { Args } from "./Args.ts"
import { keywordCall, parseCall, type Call } from "./Keywords.ts"
import { internalError } from "./RpcError.ts"
import type { Script } from "./Script.ts"
import { ask } from "./scripts/ask.ts"
import { demo } from "./scripts/demo.ts"
import { crash, error, hang, rpcError } from "./scripts/failures.ts"
import { edit, newFile, read, remove } from "./scripts/files.ts"
import { image, imageIn } from "./scripts/image.ts"
import { mode } from "./scripts/mode.ts"
import { fetchPage, mcp } from "./scripts/network.ts"
import { parallel } from "./scripts/parallel.ts"
import { plan } from "./scripts/plan.ts"
import { glob, grep } from "./scripts/search.ts"
import { shell } from "./scripts/shell.ts"
import { echo, stream } from "./scripts/talk.ts"
import { task } from "./scripts/task.ts"
import { todos } from "./scripts/todos.ts"

const scripts = new Map<string, Script>(
  Object.entries({
    echo,
    stream,
    read,
    shell,
    grep,
    glob,
    edit,
    newfile: newFile,
    delete: remove,
    fetch: fetchPage,
    mcp,
    todos,
    task,
    ask,
    plan,
    image,
    mode,
    demo,
    parallel,
    error,
    rpcerror: rpcError,
    hang,
    crash,
    "image-in": imageIn
  })
)

interface Chosen {
  readonly script: Script
  readonly args: Args
}

/**
 * Chooses by directives in the text, all of them, in order. Else it is by the configured scenario, else by keywords, else `echo`.
 *
 * @param scenario a script with its arguments, such as `stream n=500`, or directives
 * @throws RpcError naming a script that does not exist
 */
export const chooseScripts = (text: string, scenario: string | undefined): ReadonlyArray<Chosen> => {
  const directives = directivesIn(text)
  if (directives.length > 0) return directives.map(find)
  if (scenario !== undefined) {
    const several = directivesIn(scenario)
    return (several.length > 0 ? several : [parseCall(scenario)]).map(find)
  }
  return [find(keywordCall(text, (name) => scripts.has(name)) ?? parseCall("echo"))]
}

const directivesIn = (text: string): ReadonlyArray<Call> =>
  Array.from(text.matchAll(/\[\[fake:(.*?)\]\]/gs), ([, directive = ""]) => parseCall(directive))

const find = ({ name, args }: Call): Chosen => {
  const script = scripts.get(name)
  if (script === undefined) throw internalError(`no script "${name}"`)
  return { script, args }
}
