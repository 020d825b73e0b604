/** Names that are never sent. */
import { assert, describe, it } from "@effect/vitest"
import * as NeverSend from "../../src/editing/NeverSend.ts"

describe("NeverSend", () => {
  it("knows what usually holds keys, in any folder and any case", () => {
    for (const path of [
      ".env",
      ".env.local",
      "deploy/.ENV.production",
      "server.pem",
      "a/b/id_rsa",
      "id_ed25519.pub",
      ".npmrc",
      ".ssh/config",
      "home/.aws/credentials",
      "ops/.docker/config.json",
      "prod.tfvars",
      "terraform.tfstate.backup",
      "my-service-account-7.json",
      "secrets/all.txt",
      ".env.\u200b",
      "key.pem. "
    ])
      assert.isDefined(NeverSend.patternOf(path), path)
  })

  it("leaves other files alone", () => {
    for (const path of [
      "environment.ts",
      "src/keyboard.ts",
      "pem.ts",
      "docker/config.json",
      "src/secretary.ts",
      "README.md"
    ])
      assert.isUndefined(NeverSend.patternOf(path), path)
  })

  it("takes names that people add, of files and of folders", () => {
    const added = ["private/*.json", "Notes*", "a*b*c"]
    assert.strictEqual(NeverSend.patternOf("x/private/one.json", added), "private/*.json")
    assert.isUndefined(NeverSend.patternOf("private/deep/one.json", added))
    assert.strictEqual(NeverSend.patternOf("notes-2026/one.ts", added), "Notes*")
    assert.strictEqual(NeverSend.patternOf("aXbXbYc", added), "a*b*c")
    assert.isUndefined(NeverSend.patternOf("aXbXbY", added))
  })

  it("takes ** for any number of folders, and ? for one character", () => {
    for (const path of ["one.json", "x/one.json", "x/y/one.json"])
      assert.strictEqual(NeverSend.patternOf(path, ["**/one.json"]), "**/one.json", path)
    for (const path of ["a/b", "a/x/b", "z/a/x/y/b/c"])
      assert.strictEqual(NeverSend.patternOf(path, ["a/**/b"]), "a/**/b", path)
    for (const path of ["b/a", "a/x", "b"]) assert.isUndefined(NeverSend.patternOf(path, ["a/**/b"]), path)
    for (const path of ["a/x", "a/x/y"]) assert.strictEqual(NeverSend.patternOf(path, ["a/**"]), "a/**", path)
    assert.strictEqual(NeverSend.patternOf("any", ["**"]), "**")
    assert.strictEqual(NeverSend.patternOf("key1", ["key?"]), "key?")
    for (const path of ["key", "key12"]) assert.isUndefined(NeverSend.patternOf(path, ["key?"]), path)
  })

  it("goes back to one star at most, and so ends soon with hostile names and patterns", () => {
    assert.isUndefined(NeverSend.patternOf("a".repeat(10_000), [`${"a*".repeat(90)}b`]))
  })
})
