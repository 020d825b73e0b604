/**
 * Adds rules to the text of a rules file, and takes them out. All else stays as it is, byte for byte: comments, order and format. The text
 * must have no faults.
 */
import type { Rule } from "@signalbox/contracts/Rule"
import * as Result from "effect/Result"
import { createScanner, type Node } from "jsonc-parser"
import * as JsonTree from "./JsonTree.ts"
import { withoutMark } from "./RulesText.ts"

/**
 * Adds a rule behind the others. An empty file becomes a whole one.
 *
 * @param schema where editors find the schema; it is written into a file that is empty
 */
export const add = (text: string, rule: Rule, schema?: string): string => {
  const { list, rest, mark } = opened(text)
  if (list === undefined) return `${mark}${rest}${rest === "" || rest.endsWith("\n") ? "" : "\n"}${fresh(rule, schema)}`
  return `${mark}${withElement(rest, list, rule)}`
}

/**
 * Takes a rule out. Comments around it stay.
 *
 * @param number its place in the file, from 1
 */
export const remove = (text: string, number: number): string => {
  const { list, mark, rest } = opened(text)
  const rule = list?.children?.[number - 1]
  return list === undefined || rule === undefined ? text : `${mark}${withoutElement(rest, list, rule)}`
}

/** The text behind its byte order mark, and its list of rules. Undefined if it holds nothing yet. */
const opened = (text: string) => {
  const rest = withoutMark(text)
  const list = Result.match(JsonTree.parse(rest), {
    onSuccess: ({ nodeAt }) => nodeAt(["rules"]),
    onFailure: () => undefined
  })
  return { mark: text.slice(0, text.length - rest.length), rest, list }
}

const fresh = (rule: Rule, schema: string | undefined): string =>
  [
    "{",
    ...(schema === undefined ? [] : [`  "$schema": ${JSON.stringify(schema)},`]),
    '  "rules": [',
    `    ${elementText(rule, "    ", "\n")}`,
    "  ]",
    "}",
    ""
  ].join("\n")

const widest = 120

/** A rule on one line, or on several if it is long. */
const elementText = (rule: Rule, indent: string, eol: string): string => {
  const lines = JSON.stringify(rule, null, 2).split("\n")
  const single = lines
    .map((line) => line.trim())
    .join(" ")
    .replaceAll("{ }", "{}")
  return indent.length + single.length <= widest ? single : lines.join(`${eol}${indent}`)
}

interface Token {
  readonly text: string
  readonly offset: number
  readonly end: number
}

/** What stands from one offset to another: signs and comments, without spaces. */
const tokensBetween = (text: string, from: number, to: number): ReadonlyArray<Token> => {
  const scanner = createScanner(text, false)
  scanner.setPosition(from)
  const tokens: Array<Token> = []
  while (scanner.getPosition() < to) {
    scanner.scan()
    const offset = scanner.getTokenOffset()
    const end = scanner.getPosition()
    const token = text.slice(offset, end)
    if (offset < to && token.trim() !== "") tokens.push({ text: token, offset, end })
  }
  return tokens
}

const isComma = ({ text }: Token): boolean => text === ","

const endOf = ({ length, offset }: Node): number => offset + length

/** The text of a line before an offset in it. */
const lineBefore = (text: string, offset: number): string => text.slice(text.lastIndexOf("\n", offset - 1) + 1, offset)

const indentOf = (line: string): string => /^[ \t]*/.exec(line)?.[0] ?? ""

const withElement = (text: string, list: Node, rule: Rule): string => {
  const eol = text.includes("\r\n") ? "\r\n" : "\n"
  const previous = list.children?.at(-1)
  const start = previous === undefined ? list.offset + 1 : endOf(previous)
  const tokens = tokensBetween(text, start, endOf(list) - 1)
  const hasComma = tokens.some(isComma)
  // Behind comments: one that stands behind the previous rule belongs to that one.
  const at = tokens.at(-1)?.end ?? start
  const joint = previous === undefined || hasComma ? "" : ","
  const head = `${text.slice(0, start)}${joint}${text.slice(start, at)}`
  const tail = text.slice(at)
  const closing = hasComma ? "," : ""
  const beside = previous === undefined ? undefined : lineBefore(text, previous.offset)
  const outer = indentOf(lineBefore(text, list.offset))
  const isOnOneLine = beside !== undefined && beside.trim() !== "" && !tokens.at(-1)?.text.startsWith("//")
  if (isOnOneLine) return `${head} ${elementText(rule, "", eol)}${closing}${tail}`
  const indent = beside !== undefined && beside.trim() === "" ? beside : `${outer}  `
  const element = `${head}${eol}${indent}${elementText(rule, indent, eol)}${closing}`
  return /^[ \t]*\r?\n/.test(tail) ? `${element}${tail}` : `${element}${eol}${outer}${tail.trimStart()}`
}

const withoutElement = (text: string, list: Node, rule: Node): string => {
  const elements = list.children ?? []
  const index = elements.indexOf(rule)
  const after = tokensBetween(text, endOf(rule), elements[index + 1]?.offset ?? endOf(list) - 1).find(isComma)
  const previous = elements[index - 1]
  // Without a comma behind it, the one before it would end the list.
  const before =
    after === undefined && previous !== undefined
      ? tokensBetween(text, endOf(previous), rule.offset).find(isComma)
      : undefined
  const cuts: Array<Cut> = []
  for (const cut of [before, { offset: rule.offset, end: endOf(rule) }, after]) {
    if (cut === undefined) continue
    const last = cuts.at(-1)
    const isNext = last !== undefined && text.slice(last.end, cut.offset).trim() === ""
    if (isNext) cuts.pop()
    cuts.push(isNext ? { offset: last.offset, end: cut.end } : cut)
  }
  return cuts.reduceRight(without, text)
}

interface Cut {
  readonly offset: number
  readonly end: number
}

/** Without a piece, and without its lines if they would be empty. */
const without = (text: string, { end, offset }: Cut): string => {
  const lineStart = text.lastIndexOf("\n", offset - 1) + 1
  const lineBreak = text.indexOf("\n", end)
  const isAlone =
    text.slice(lineStart, offset).trim() === "" && lineBreak !== -1 && text.slice(end, lineBreak).trim() === ""
  if (isAlone) return text.slice(0, lineStart) + text.slice(lineBreak + 1)
  // Between its neighbours on one line, one space is enough.
  const head = text.slice(0, offset)
  return head + (/[\s[]$/.test(head) ? text.slice(end).replace(/^[ \t]+/, "") : text.slice(end))
}
