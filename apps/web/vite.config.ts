import { fileURLToPath } from "node:url"
import react from "@vitejs/plugin-react"
import { defineConfig } from "vite"

export default defineConfig({
  plugins: [react()],
  resolve: {
    alias: {
      // Its package.json names a module that isn't in the package.
      "@xterm/headless": "@xterm/headless/lib-headless/xterm-headless.mjs",
      // The Markdown parser's own way sets `innerHTML`, which the content security policy forbids.
      "decode-named-character-reference": fileURLToPath(new URL("src/markdown/namedCharacters.ts", import.meta.url))
    }
  },
  build: {
    target: "es2023",
    // The page's content security policy knows no `data:` sources and no inline scripts.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    license: { fileName: "licenses.md" },
    reportCompressedSize: true
  },
  // `scripts/dev.mjs` adds the way to the server that it starts beside this one.
  server: { host: "127.0.0.1" }
})
