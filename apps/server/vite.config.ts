import { globSync, readFileSync, writeFileSync } from "node:fs"
import http from "node:http"
import { join } from "node:path"
import { defineConfig, parseAst, type Plugin } from "vite"

/** Says that the bundle is there as a whole: a build that is ended on its way leaves a part of it. The next build removes it first. */
const complete: Plugin = {
  name: "complete",
  writeBundle: { sequential: true, order: "post", handler: ({ dir = "dist" }) => writeFileSync(`${dir}/complete`, "") }
}

/** The places of texts in template literals, which keep what they have. */
const templatesIn = (node: unknown): ReadonlyArray<readonly [start: number, end: number]> => {
  if (typeof node !== "object" || node === null) return []
  if ("type" in node && node.type === "TemplateElement" && "start" in node && "end" in node)
    return [[Number(node.start), Number(node.end)]]
  return Object.values(node).flatMap(templatesIn)
}

/** Takes indentation and the names of bundled files away, a thirtieth of the package. Lines stay where they are: traces name them. */
const flat: Plugin = {
  name: "flat",
  writeBundle: {
    sequential: true,
    order: "pre",
    handler: ({ dir = "dist" }) => {
      for (const file of globSync("**/*.js", { cwd: dir })) {
        const code = readFileSync(join(dir, file), "utf8")
        const templates = templatesIn(parseAst(code)).toSorted(([one], [other]) => one - other)
        let next = 0
        const text = code.replaceAll(/^(?:\t+|\/\/ \S+\.[cm]?[jt]s$)/gm, (found, at: number) => {
          while ((templates[next]?.[1] ?? Infinity) < at) next += 1
          return (templates[next]?.[0] ?? Infinity) < at ? found : ""
        })
        writeFileSync(join(dir, file), text)
      }
    }
  }
}

/** What `node:http` has beside its own: to ask for them loads Node's whole client for the web, a twelfth of the server's start. */
const foreign: ReadonlySet<string> = new Set(["WebSocket", "CloseEvent", "MessageEvent"])

const httpNames = Object.keys(http).filter((name) => !foreign.has(name))

/**
 * Takes `node:http` from the process. An `import` of one of Node's modules asks it for all that it exports. This one makes some of that
 * when it is asked.
 */
const lightHttp: Plugin = {
  name: "light-http",
  enforce: "pre",
  resolveId: (id) => (id === "node:http" || id === "http" ? "\0light-http" : undefined),
  load: (id) =>
    id === "\0light-http"
      ? `const http = process.getBuiltinModule("node:http")\nexport default http\nexport const { ${httpNames.join(", ")} } = http\n`
      : undefined
}

const agent = (file: string): string => `../../packages/stand-in-agents/src/${file}`

/**
 * The files of the bundle, in the order in which modules are put into them: each takes its door and all that the door imports, but for what
 * an earlier one has. So none imports a later one. To find and link a file costs more than to read a hundred kilobytes of compiled code.
 * Without parts, each set of commands that share modules has a file: 270. Commands that are in no part have small files of their own.
 */
const parts = Object.entries({
  player: /src\/player\/(?:Client|Player|Recording)\.ts$/,
  start: /src\/(?:base\/Installation|cli\/Arguments|cli\/terminal\/EndNow)\.ts$/,
  compiler: /\/SchemaJITCompiler\/enable\.js$/,
  agent: /packages\/acp\/src\/(?:AcpAgent|NesAgent|Positions)\.ts$/,
  cli: /src\/cli\/Cli\.ts$/,
  rules: /src\/cli\/rules\/\w+\.ts$/,
  client: /src\/cli\/threads\/ListThreads\.ts$/,
  run: /src\/cli\/run\/RunCommand\.ts$/,
  serve: /src\/cli\/serve\/Serve\.ts$/
}).map(([name, test], index) => ({ name, test, priority: 100 - index }))

// What `npm start` runs: the server and all it imports, in a few files. Reading some four hundred files one by one
// costs more than half of the time until it listens.
export default defineConfig({
  build: {
    ssr: true,
    outDir: "dist",
    target: "node24",
    minify: false,
    license: { fileName: "licenses.md" },
    // Node runs no TypeScript in an installed package: the files that a thread and a sandbox run are built, too. So are the agents of
    // a first run, which share Effect with the server.
    rolldownOptions: {
      input: {
        bin: "src/bin.ts",
        CheckpointWorker: "src/storage/CheckpointWorker.ts",
        Relay: "src/sandbox/Relay.ts",
        // Not `main.ts`, which keeps its compiled modules in the repository.
        "agents/cursor": agent("cursor/cli.ts"),
        "agents/eliza": agent("eliza/main.ts"),
        "agents/nes": agent("nes/main.ts"),
        "agents/player": agent("player/main.ts"),
        "agents/scripted": agent("scripted/main.ts")
      },
      // The documentation of libraries is a third of the bundle, and long names of variables a tenth of the package. Lines
      // and names of functions stay as they are: traces show them.
      output: {
        codeSplitting: { groups: parts },
        comments: { annotation: false, jsdoc: false },
        minify: {
          compress: { keepNames: { function: true, class: true }, joinVars: false, sequences: false },
          mangle: { toplevel: true, keepNames: { function: true, class: true } },
          codegen: { removeWhitespace: false }
        }
      }
    }
  },
  // The pseudo-terminals have a native part, which is where npm has put it. What undici exports is lost when it is bundled.
  ssr: { noExternal: true, external: ["@lydell/node-pty", "undici"] },
  plugins: [lightHttp, flat, complete],
  logLevel: "warn"
})
