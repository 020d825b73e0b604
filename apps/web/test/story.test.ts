/** The whole story in a browser: real server, real agents, real Chromium. Each chapter stands in a file of `story/`. */
import { existsSync } from "node:fs"
import { fileURLToPath } from "node:url"
import { assert, describe, test } from "vitest"
import { adverse } from "./story/adverse.ts"
import { agents } from "./story/agents.ts"
import { authors } from "./story/authors.ts"
import { cards } from "./story/cards.ts"
import { chain } from "./story/chain.ts"
import { clients } from "./story/clients.ts"
import { decisions } from "./story/decisions.ts"
import { door } from "./story/door.ts"
import { drafts } from "./story/drafts.ts"
import { editor } from "./story/editor.ts"
import { following } from "./story/following.ts"
import { hostile } from "./story/hostile.ts"
import { inbox } from "./story/inbox.ts"
import { keyboard } from "./story/keyboard.ts"
import { kept } from "./story/kept.ts"
import { knowledge } from "./story/knowledge.ts"
import { language } from "./story/language.ts"
import { long } from "./story/long.ts"
import { look } from "./story/look.ts"
import { paths } from "./story/paths.ts"
import { profiles } from "./story/profiles.ts"
import { prompts } from "./story/prompts.ts"
import { registry } from "./story/registry.ts"
import { requests } from "./story/requests.ts"
import { research } from "./story/research.ts"
import { restart } from "./story/restart.ts"
import { rules } from "./story/rules.ts"
import { scripts } from "./story/scripts.ts"
import { services } from "./story/services.ts"
import { sessions } from "./story/sessions.ts"
import { settings } from "./story/settings.ts"
import { signing } from "./story/signing.ts"
import { stop } from "./story/stop.ts"
import { suggestions } from "./story/suggestions.ts"
import { turns } from "./story/turns.ts"
import { walkthrough } from "./story/walkthrough.ts"
import { wire } from "./story/wire.ts"
import { chromiumIsRequired, chromiumPath, noChromium } from "./support/Chromium.ts"

const page = fileURLToPath(new URL("../dist/index.html", import.meta.url))

const skipped = chromiumPath === undefined && !chromiumIsRequired
if (skipped) console.warn(`The story in the browser is skipped. ${noChromium}`)

// Tests share nothing but the browser and the servers, and mostly wait: they run side by side.
describe.skipIf(skipped)("the story", { concurrent: true }, () => {
  test("has a browser and a page", () => {
    assert.isDefined(chromiumPath, noChromium)
    assert.isTrue(existsSync(page), `There is no ${page}: npm test builds it, and so does npx turbo run build.`)
  })
  door()
  clients()
  agents()
  turns()
  following()
  editor()
  language()
  authors()
  adverse()
  paths()
  suggestions()
  chain()
  walkthrough()
  research()
  knowledge()
  wire()
  profiles()
  decisions()
  prompts()
  drafts()
  registry()
  requests()
  cards()
  inbox()
  rules()
  scripts()
  services()
  stop()
  sessions()
  settings()
  signing()
  hostile()
  keyboard()
  look()
  restart()
  kept()
  long()
})
