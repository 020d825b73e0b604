import { readdirSync, readFileSync } from "node:fs"
import { describe, expect, it } from "vitest"
import { Quirks, quirkNames } from "../src/cursor/Quirks.ts"

describe("switches", () => {
  it("every one has a test of its name", () => {
    const suites = readdirSync(import.meta.dirname).filter((name) => name.startsWith("cursor-quirks-"))
    const text = suites.map((name) => readFileSync(`${import.meta.dirname}/${name}`, "utf8")).join("\n")
    expect(quirkNames.filter((name) => !text.includes(`it("${name}"`))).toEqual([])
  })

  it("a default is taken back with a minus, and values follow an equals sign or a space", () => {
    const quirks = Quirks.parse("2026.10", "-id_zero, cancel_slow=250,big_chunk 12")
    expect(quirks.has("id_zero")).toBe(false)
    expect(quirks.has("enrich_update")).toBe(true)
    expect(quirks.number("cancel_slow", 0)).toBe(250)
    expect(quirks.number("big_chunk", 0)).toBe(12)
  })

  it("one that does not exist is refused", () => {
    expect(() => Quirks.parse("2026.10", "dup_tool_cal")).toThrow('unknown switch "dup_tool_cal"')
  })
})
