// The first question of a session, asked at once. `node cold.mjs by-hand|typescript|silent|mute TOOL`: a language server by hand; through the chain;
// one that never answers; one that answers `initialize`, and no question.
import { readFileSync } from "node:fs"
import { join } from "node:path"
import { report } from "../measure.mjs"
import { file } from "../processes.mjs"
import * as ByHand from "./by-hand.mjs"
import * as Chain from "./chain.mjs"
import { workshop } from "./project.mjs"

const [, , subject, tool = "ide_definition"] = process.argv
const made = workshop()
const byHand = async ({ cwd, place }) => {
  const from = performance.now()
  const { character, line, path } = place(1)
  const hand = await ByHand.connect(made.server, cwd)
  hand.open(join(cwd, path), readFileSync(join(cwd, path), "utf8"))
  const found = await hand.definition(join(cwd, path), line, character)
  const firstMs = performance.now() - from
  await hand.end()
  return { firstMs, results: found.length }
}

const byChain = ({ cwd, place }) => {
  const { character, line, path } = place(1)
  const given = tool === "ide_operation" ? { program: 'findDefinitions("sum7")' } : { file_path: path, line, character }
  const isEver = subject === "typescript"
  return Chain.run({
    argument: isEver ? made.argument : `typescript=${process.execPath} ${file("ide/flood-server.mjs")} ${subject}`,
    cwd,
    state: join(made.folder, "state"),
    task: { task: "first", call: tool, with: given, isEver },
    transport: "http"
  })
}

try {
  const project = made.project("project", 1_000)
  const { words, ...result } = await (subject === "by-hand" ? byHand(project) : byChain(project))
  // Words without the name of the server, or without what it does, would help nobody.
  const isNamed = words !== undefined && /(?:typescript|node|server).*(?:start|read|answer|work|load)/i.test(words)
  report({
    ...result,
    waits: words === undefined ? 0 : 1,
    named: isNamed ? 1 : 0,
    ...(words !== undefined && { words })
  })
} finally {
  made.remove()
}
