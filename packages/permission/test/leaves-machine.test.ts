/** The note that a command may leave this machine. */
import { assert, describe, it } from "@effect/vitest"
import * as LeavesMachine from "../src/rules/LeavesMachine.ts"
import * as ShellLine from "../src/shell/ShellLine.ts"

const noteOn = (line: string) => LeavesMachine.of(ShellLine.read(line).commands[0]?.words ?? [])

const notes = {
  "sends data to another machine": [
    "git push",
    "git -C packages/db push origin main",
    "git -c x=y --no-pager push",
    "npm publish",
    "docker push shop:1",
    "/usr/bin/git push"
  ],
  "fetches data from another machine": [
    "git fetch --all",
    "git clone https://example.org/a.git",
    "npm install",
    "npm ci",
    "pnpm add left-pad",
    "yarn",
    "npx cowsay",
    "npm exec cowsay",
    "pnpm dlx cowsay",
    "docker pull shop",
    "cargo fetch",
    "git $SUBCOMMAND"
  ],
  "connects to another machine": [
    "curl https://example.org",
    "curl https://localhost@example.org",
    "curl -d @notes 127.0.0.1.example.org",
    "curl http://127.0.0.1/a https://example.org",
    "ssh build.example.org ls",
    "node fetch.mjs --from=https://example.org/list",
    "tool deploy@example.org:/srv"
  ]
}

describe("the note that a command may leave this machine", () => {
  for (const [note, lines] of Object.entries(notes))
    it.each(lines)(`says of %s: ${note}`, (line) => assert.strictEqual(noteOn(line), note))

  it.each([
    "git status",
    "git commit -m push",
    "git log --grep fetch",
    "npm test",
    "pnpm exec tsc -b",
    "pnpm run install-hooks",
    "cargo test",
    "curl http://localhost:3000/health",
    "curl http://127.0.0.1:8080",
    "curl 'http://[::1]/'",
    "echo push",
    "ls user@host"
  ])("is not there for %s", (line) => assert.isUndefined(noteOn(line)))
})
