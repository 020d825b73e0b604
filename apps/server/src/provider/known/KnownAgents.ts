/** Every agent that is known before its handshake, by its id. */
import { amp } from "./amp.ts"
import { auggie } from "./auggie.ts"
import { cagent } from "./cagent.ts"
import { claude } from "./claude.ts"
import { cline } from "./cline.ts"
import { codex } from "./codex.ts"
import { copilot } from "./copilot.ts"
import { copilotLanguageServer } from "./copilot-language-server.ts"
import { cursor } from "./cursor.ts"
import { droid } from "./droid.ts"
import { fastAgent } from "./fast-agent.ts"
import { gemini } from "./gemini.ts"
import { goose } from "./goose.ts"
import { grok } from "./grok.ts"
import { junie } from "./junie.ts"
import { kilo } from "./kilo.ts"
import { kimi } from "./kimi.ts"
import { mistralVibe } from "./mistral-vibe.ts"
import { opencode } from "./opencode.ts"
import { pi } from "./pi.ts"
import { qoder } from "./qoder.ts"
import { qwen } from "./qwen.ts"
import { stakpak } from "./stakpak.ts"
import type { KnownAgent } from "./KnownAgent.ts"

export const all: ReadonlyArray<KnownAgent> = [
  amp,
  auggie,
  cagent,
  claude,
  cline,
  codex,
  cursor,
  droid,
  fastAgent,
  gemini,
  copilotLanguageServer,
  copilot,
  goose,
  grok,
  junie,
  kilo,
  kimi,
  mistralVibe,
  opencode,
  pi,
  qoder,
  qwen,
  stakpak
]
