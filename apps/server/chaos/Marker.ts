/**
 * Markers tell which turn a text belongs to. Each carries a checksum: a garbled byte can make the marker of one turn look like that of
 * another, and such words are nobody's.
 */
import { mixed } from "@signalbox/stand-in-agents/chaos/Treatment"

export const make = (seed: number, life: number, turn: number): string => {
  const name = `s${seed}.l${life}.t${turn}`
  return `<${name}.${checksum(name)}>`
}

/** The markers in a text whose checksums are right. */
export const allIn = (text: string): ReadonlyArray<string> =>
  [...text.matchAll(whole)].flatMap(([marker, name = "", sum]) => (sum === checksum(name) ? [marker] : []))

const whole = /<(s\d+\.l\d+\.t\d+)\.([0-9a-f]{8})>/g

const checksum = (name: string): string =>
  mixed(...Array.from(name, (character) => character.charCodeAt(0)))
    .toString(16)
    .padStart(8, "0")

/** Whether words of this seed's thread stand in some bytes. The beginning of a marker is enough, as it may go on elsewhere. */
export const standsIn = (bytes: Buffer, seed: number): boolean => {
  const beginning = `<s${seed}.l`
  for (let at = bytes.indexOf(beginning); at !== -1; at = bytes.indexOf(beginning, at + 1)) {
    const text = bytes.toString("latin1", at, at + longest)
    if (!text.match(whole)?.some((marker) => text.startsWith(marker))) return true
    if (allIn(text).some((marker) => text.startsWith(marker))) return true
  }
  return false
}

const longest = 64
