// What language servers cost, beside the same done by hand, and the goal of each.
import { run } from "../processes.mjs"

const definition = (transport) => () => run("ide/definition.mjs", [transport])
const cold = (subject, tool) => () => run("ide/cold.mjs", [subject, tool ?? "ide_definition"])
const flood = (step, encoding) => () => run("ide/floods.mjs", [step, encoding])

const floods = {
  "findings, UTF-16": flood("diagnostics", "utf-16"),
  "findings, UTF-8": flood("diagnostics", "utf-8"),
  "file, UTF-16": flood("file", "utf-16"),
  "file, UTF-8": flood("file", "utf-8"),
  "beyond Latin": flood("foreign", "utf-8"),
  "one line": flood("line", "utf-8"),
  definition: flood("definition", "utf-8"),
  editor: flood("editor", "utf-8")
}

const silentOnes = ["silent", "silent, Dialect", "mute"]

export const experiments = {
  ide: {
    title: "`definition` by an agent's tool call, and the same asked of the same language server by hand, in turns",
    subjects: { http: definition("http"), program: definition("program") },
    goals: ["http", "program"].flatMap((of) => [
      { what: `p50 in ms that it adds, ${of}`, of, figure: "addedP50Ms", at: "<=5" },
      { what: `answers that differ, ${of}`, of, figure: "differing", at: "==0" }
    ])
  },
  "ide-cold": {
    title: "the first question of a session in a project of 1,000 files; a server that never answers, or no question",
    subjects: {
      "by hand": cold("by-hand"),
      typescript: cold("typescript"),
      silent: cold("silent"),
      "silent, Dialect": cold("silent", "ide_operation"),
      mute: cold("mute")
    },
    goals: [
      ...["typescript", ...silentOnes].map((of) => ({
        what: `ms to the first answer, ${of}`,
        of,
        figure: "firstMs",
        at: "<=10000"
      })),
      { what: "sessions with a result, typescript", of: "typescript", figure: "results", at: "==1" },
      ...silentOnes.map((of) => ({
        what: `answers that say what they wait for, ${of}`,
        of,
        figure: "named",
        at: "==1"
      }))
    ]
  },
  "ide-floods": {
    title: "the longest that 10,000 findings, or a file of 5 MB, hold the event loop; `JSON` of the same beside it",
    subjects: floods,
    goals: Object.keys(floods).flatMap((of) => [
      { what: `CPU at a time in ms, ${of}`, of, figure: "blockCpuMs", at: "<=50" },
      { what: `answers, ${of}`, of, figure: "answers", at: ">=1" }
    ])
  },
  "ide-roots": {
    title: "ten folders ask one after the other, and the settings allow three language servers; counted in /proc",
    subjects: { signalbox: () => run("ide/roots.mjs") },
    goals: [
      { what: "language servers at a time", of: "signalbox", figure: "most", at: "<=3" },
      { what: "questions that were answered, of 19", of: "signalbox", figure: "answered", at: "==19" },
      { what: "times that another than the oldest ended", of: "signalbox", figure: "wrong", at: "==0" }
    ]
  }
}
