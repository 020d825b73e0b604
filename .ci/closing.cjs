// Prints each failed test of the reports, then a last line: how many passed and how many failed. Runs on any Node from 18 on.
"use strict"
const { existsSync, readFileSync } = require("node:fs")
const path = require("node:path")
const { stripVTControlCharacters } = require("node:util")

/** Most failed tests that are named. */
const mostNames = 40
const longestReason = 300
/** Most places in the code that are named for one failure. */
const mostPlaces = 3
/** Most characters of what each page showed. */
const longestShown = 1400

const reports = process.argv
  .slice(2)
  .filter((file) => existsSync(file))
  .map((file) => JSON.parse(readFileSync(file, "utf8")))

/**
 * The first line of a failure, then what a browser waited for, the lines of the project's own tests that led there, and what the pages
 * showed (`scripts/suite/Shown.ts`).
 */
const reasonOf = (messages) => {
  const [first = "", ...others] = stripVTControlCharacters(messages[0] ?? "").split("\n")
  const waited = others.find((line) => line.trimStart().startsWith("- ")) ?? ""
  const places = others.filter((line) => /^ *at .*\/(?:test|host)\//u.test(line)).slice(0, mostPlaces)
  const shown = others.filter((line) => line.startsWith("Shown at "))
  return [
    ...[first, waited, ...places].map((line) => line.trim().slice(0, longestReason)),
    ...shown.map((line) => line.slice(0, longestShown))
  ]
    .map((line) => line.replaceAll(`${process.cwd()}/`, ""))
    .filter((line) => line !== "")
    .join("\n  ")
}

const files = reports.flatMap(({ testResults }) => testResults)
/** Files that could not be loaded have no tests to count. */
const broken = files.filter(({ assertionResults, status }) => status === "failed" && assertionResults.length === 0)
const failed = files.flatMap(({ assertionResults, name }) =>
  assertionResults
    .filter(({ status }) => status === "failed")
    .map(({ failureMessages, fullName }) => ({ file: name, name: fullName, reason: reasonOf(failureMessages) }))
)
const all = [
  ...broken.map(({ message, name }) => ({
    file: name,
    name: "could not be loaded",
    reason: reasonOf([message ?? ""])
  })),
  ...failed
]

for (const { file, name, reason } of all.slice(0, mostNames))
  console.log(`FAILED ${path.relative(process.cwd(), file)}: ${name}\n  ${reason}`)
if (all.length > mostNames) console.log(`… and ${all.length - mostNames} more.`)

const passed = reports.reduce((sum, { numPassedTests }) => sum + numPassedTests, 0)
console.log(`${passed} ${all.length}`)
