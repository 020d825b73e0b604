import { defineConfig } from "vite"

/** The extension host loads one file, which has all but the editor's own module. */
export default defineConfig({
  build: {
    ssr: "src/extension.ts",
    outDir: "dist",
    target: "node22",
    minify: false,
    rolldownOptions: {
      external: ["vscode"],
      output: { format: "cjs", entryFileNames: "extension.cjs", chunkFileNames: "[name].cjs" }
    },
    license: { fileName: "licenses.md" }
  },
  ssr: { noExternal: true, external: ["vscode"] },
  logLevel: "warn"
})
