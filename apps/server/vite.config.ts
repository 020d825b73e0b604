import { writeFileSync } from "node:fs"
import { defineConfig, type Plugin } from "vite"

/** Says that the bundle is there as a whole: a build that is ended on its way leaves a part of it. The next build removes it first. */
const complete: Plugin = {
  name: "complete",
  writeBundle: { sequential: true, order: "post", handler: ({ dir = "dist" }) => writeFileSync(`${dir}/complete`, "") }
}

const agent = (file: string): string => `../../packages/stand-in-agents/src/${file}`

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
      // The documentation of libraries is a third of the bundle, and long names of local variables are a twentieth of the package. Lines
      // and names of functions stay as they are: traces show them.
      output: {
        comments: { annotation: false, jsdoc: false },
        minify: {
          compress: false,
          mangle: { toplevel: false, keepNames: { function: true, class: true } },
          codegen: { removeWhitespace: false }
        }
      }
    }
  },
  // The pseudo-terminals have a native part, which is where npm has put it. What undici exports is lost when it is bundled.
  ssr: { noExternal: true, external: ["@lydell/node-pty", "undici"] },
  plugins: [complete],
  logLevel: "warn"
})
