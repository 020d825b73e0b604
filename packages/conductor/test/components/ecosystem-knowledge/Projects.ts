/** Projects with real dependencies in their folders, and chains that read them. */
import * as Effect from "effect/Effect"
import { mkdirSync, writeFileSync } from "node:fs"
import { dirname, join } from "node:path"
import { temporaryFolder } from "../../../../system/test/support/TemporaryFolder.ts"
import { ecosystemKnowledge } from "../../../src/components/ecosystem-knowledge/EcosystemKnowledgeComponent.ts"
import { type Way, ways } from "../../BothWays.ts"
import type { Component } from "../../../src/Component.ts"
import { bridge } from "../../McpParts.ts"
import { connect, initialize, proxy } from "../../Parts.ts"
import { node, standIn } from "../../Programs.ts"

/** Texts by their paths in a folder. */
export interface Files {
  readonly [path: string]: string
}

export const write = (folder: string, files: Files): void => {
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true })
    writeFileSync(join(folder, path), text)
  }
}

export const skill = (name: string, description: string, text = "Do it so."): string =>
  `---\nname: ${name}\ndescription: ${description}\n---\n\n${text}\n`

/** A project of npm. Each dependency has these files, and its `package.json` these members. */
export const npm = (
  dependencies: Readonly<Record<string, { readonly manifest?: object; readonly files?: Files }>>,
  manifest: object = {}
): string => {
  const folder = temporaryFolder("project")
  const names = Object.keys(dependencies)
  const ranges = Object.fromEntries(names.map((name) => [name, "1"]))
  write(folder, { "package.json": JSON.stringify({ name: "mine", dependencies: ranges, ...manifest }) })
  for (const [name, { files = {}, manifest: own = {} }] of Object.entries(dependencies))
    write(join(folder, "node_modules", name), {
      "package.json": JSON.stringify({ name, version: "1.0.0", ...own }),
      ...files
    })
  return folder
}

/**
 * A chain with the component and the tool caller. `prompts` holds the prompts that reach the agent, `lines` the warnings.
 *
 * @param people what stands before the component, at the client's end
 */
export const start = Effect.fnUntraced(function* (
  args: ReadonlyArray<string> = [],
  make: Way["make"] | undefined = ways[0]?.make,
  people: ReadonlyArray<Component> = []
) {
  const lines: Array<string> = []
  const prompts: Array<ReadonlyArray<{ readonly type: string; readonly text?: string }>> = []
  const recorder = proxy("recorder", {
    clientRequests: {
      "session/prompt": (request, forward) => {
        prompts.push(request.prompt)
        return forward()
      }
    }
  })
  if (make === undefined) throw new Error("A component runs in two ways")
  const component = yield* make(ecosystemKnowledge, args, (line) => lines.push(line))
  const agent = yield* node("tools", standIn("tools"), "--http")
  const client = yield* connect({
    assemble: () => Effect.succeed({ agent, proxies: [...people, component, recorder, bridge] })
  })
  yield* initialize(client)
  return { client, lines, prompts }
})
