/** The repository of a workspace, from the address of its remote. */
import { assert, describe, it } from "@effect/vitest"
import * as Repository from "../../src/editing/Repository.ts"

describe("the repository of a workspace", () => {
  for (const [url, owner, name] of [
    ["https://github.com/team/tool.git", "team", "tool"],
    ["https://user:token@git.example.com:8443/group/sub/tool/", "sub", "tool"],
    ["ssh://git@git.example.com/team/tool", "team", "tool"],
    ["git@github.com:team/tool.git", "team", "tool"]
  ] as const)
    it(`is named by ${url}`, () => {
      assert.deepStrictEqual(Repository.at(url), { owner, name, remoteUrl: url })
    })

  for (const url of [
    "",
    "/srv/git/tool.git",
    "../tool",
    "file:///srv/git/team/tool.git",
    "https://git.example.com/tool.git",
    "https://git.example.com/team/.git",
    "http://localhost:3000/team/tool.git",
    "ssh://git@127.0.0.1:2222/team/tool",
    "http://0x7f000001/team/tool",
    "ssh://git@[::1]/team/tool",
    "git@localhost:team/tool",
    "ext::ssh host %S /team/tool",
    "user:secret@host:team/tool.git",
    `https://git.example.com/${"a/".repeat(2000)}b`
  ])
    it(`is not told where nobody can say whose it is, or it is on this machine: ${url.slice(0, 40)}`, () => {
      assert.isUndefined(Repository.at(url))
    })
})
