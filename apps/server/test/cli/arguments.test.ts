import { assert, describe, it } from "@effect/vitest"
import { behindDashes, fromCommand, usesOf, withValue } from "../../src/cli/Arguments.ts"

const flags = ["--component", "--proxy"]

describe("the words of the command line", () => {
  it("keep their order between different flags", () => {
    const args = ["conductor", "agent", "--proxy", "a", "--trace", "t", "--component=b", "--proxy", "c d", "--proxy="]
    assert.deepStrictEqual(usesOf(args, flags), [
      { flag: "--proxy", value: "a" },
      { flag: "--component", value: "b" },
      { flag: "--proxy", value: "c d" },
      { flag: "--proxy", value: "" }
    ])
  })

  it("belong to somebody else behind --", () => {
    const args = ["--proxy", "a", "--", "agent", "--proxy", "b", "--", "c"]
    assert.deepStrictEqual(usesOf(args, flags), [{ flag: "--proxy", value: "a" }])
    assert.deepStrictEqual(behindDashes(args), ["agent", "--proxy", "b", "--", "c"])
    assert.deepStrictEqual(behindDashes(["agent", "--"]), [])
    assert.isUndefined(behindDashes(["agent"]))
  })

  it("are values of the flag before them, also with a hyphen", () => {
    const args = ["rules", "explain", "--command", "--json", "--json", "--command=-", "--", "--command", "x"]
    const joined = ["rules", "explain", "--command=--json", "--json", "--command=-", "--", "--command", "x"]
    assert.deepStrictEqual(withValue(args, "--command"), joined)
    assert.deepStrictEqual(withValue(["--command"], "--command"), ["--command"])
  })

  it("may have --log-level before the command", () => {
    assert.deepStrictEqual(fromCommand(["--log-level", "debug", "run", "x"]), ["run", "x"])
    assert.deepStrictEqual(fromCommand(["--log-level=debug", "run"]), ["run"])
  })
})
