import { fileURLToPath } from "node:url"
import react from "@vitejs/plugin-react"
import { defineConfig } from "vite"

/** The server that `npm run dev` starts beside this one. */
const server = process.env["SIGNALBOX_DEV_SERVER"] ?? "http://127.0.0.1:4177"

export default defineConfig({
  plugins: [react()],
  resolve: {
    alias: {
      // The Markdown parser's own way sets `innerHTML`, which the content security policy forbids.
      "decode-named-character-reference": fileURLToPath(new URL("src/markdown/namedCharacters.ts", import.meta.url))
    }
  },
  build: {
    target: "es2023",
    // The page's content security policy knows no `data:` sources and no inline scripts.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    reportCompressedSize: true
  },
  server: {
    host: "127.0.0.1",
    proxy: { "/rpc": { target: server, ws: true }, "/session": server }
  }
})
