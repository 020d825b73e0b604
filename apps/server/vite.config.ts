import { defineConfig } from "vite"

// What `npm start` runs: the server and all it imports, in a few files. Reading some four hundred files one by one
// costs more than half of the time until it listens.
export default defineConfig({
  build: { ssr: "src/bin.ts", outDir: "dist", target: "node24", minify: false },
  // The pseudo-terminals have a native part, which is where npm has put it. What undici exports is lost when it is bundled.
  ssr: { noExternal: true, external: ["@lydell/node-pty", "undici"] },
  logLevel: "warn"
})
