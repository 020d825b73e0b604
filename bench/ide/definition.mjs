// `definition` by a tool call of an agent, beside the same question asked of the same language server by hand: `node definition.mjs http|program`.
import { join } from "node:path"
import { report } from "../measure.mjs"
import * as Chain from "./chain.mjs"
import { workshop } from "./project.mjs"

const made = workshop()
try {
  const { cwd, place } = made.project("project", 300)
  const places = Array.from({ length: 40 }, (_, at) => place(at * 7))
  const task = { task: "definitions", places, rounds: 10, warm: 4, server: made.server }
  report(
    await Chain.run({
      argument: made.argument,
      cwd,
      state: join(made.folder, "state"),
      task,
      transport: process.argv[2]
    })
  )
} finally {
  made.remove()
}
