import { fileURLToPath } from "node:url"
import react from "@vitejs/plugin-react"
import { defineConfig } from "vite"

/** Files that the page loads when it first needs them. All others come with the page, even behind a late import. */
const lazily =
  /@codemirror|@lezer|@marijn|style-mod|w3c-keyname|crelt|@xterm|client\/src\/Draft|src\/(?:composer\/(?:DraftLine|draftKeeping|keptDrafts)|app\/(?:HealthPanel|LanguageServersHealth)|agents\/(?:Conformance|reportWords|SuggestionFacts|StartComponents)|threads\/(?:Chain|Component|component|useComponents|startWithout|McpDialog|mcpWords|ProfileDialog|SwitchRow)|decisions\/|design\/ListDialog|transcript\/(?:Walkthrough|Research)|editor\/|rules\/|wire\/|connection\/(?:components|conformance|documents|language|mcpServers|research|suggestions|wire)|browser\/pageId)|src\/signin\/(?:SignInTerminal|terminal|keyLine)/

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
    reportCompressedSize: true,
    rolldownOptions: {
      output: {
        // What the editor shares with the page stays in one file: several files would load later, and be larger together.
        codeSplitting: {
          groups: [{ name: "page", test: (id) => !lazily.test(id) }]
        }
      }
    }
  },
  // `scripts/dev.mjs` adds the way to the server that it starts beside this one.
  server: { host: "127.0.0.1" }
})
