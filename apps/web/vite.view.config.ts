import { fileURLToPath } from "node:url"
import { mergeConfig } from "vite"
import page from "./vite.config.ts"

/** The page's parts in the chat of VS Code. The extension writes the document around them, so the entry has a fixed name. */
export default mergeConfig(page, {
  root: fileURLToPath(new URL(".", import.meta.url)),
  base: "./",
  publicDir: false,
  build: {
    outDir: fileURLToPath(new URL("../vscode/dist/view", import.meta.url)),
    emptyOutDir: true,
    rolldownOptions: {
      input: { chat: fileURLToPath(new URL("src/chat.tsx", import.meta.url)) },
      output: { entryFileNames: "chat.js", assetFileNames: "[name][extname]" }
    }
  },
  logLevel: "warn"
})
