/** Why a document can't be opened or saved, in words: what it is, the cause, and what to do next. */
import { mostDocumentBytes } from "@signalbox/contracts/Documents"
import type { Problem } from "@signalbox/contracts/Problem"
import { Refused } from "@signalbox/contracts/Refused"
import * as Effect from "effect/Effect"
import { lstat } from "node:fs/promises"
import { basename } from "node:path"
import { exactSize, size } from "../base/ByteWords.ts"
import type { PathRefused } from "../workspace/Containment.ts"
import type { DocumentPlace } from "./DocumentPlace.ts"

const elsewhere = "Open it with another program"
const another = "Open another file"

const problem = (place: DocumentPlace, title: string, cause: string, next: string): Refused => {
  const told: Problem = {
    code: "unsupported",
    title,
    cause,
    evidence: { path: place.path },
    nextSteps: [{ action: "set-option", label: next }]
  }
  return new Refused({ problem: told })
}

export const tooLarge = (place: DocumentPlace, bytes: number): Refused =>
  problem(
    place,
    `${basename(place.path)} is ${size(bytes)}.`,
    `The editor opens files up to ${size(mostDocumentBytes)}.`,
    elsewhere
  )

/** What is said of a file that a look at it refused. `known`: what is known of it, if it was found. */
export const unreadable = (
  place: DocumentPlace,
  refused: PathRefused,
  known?: { readonly real: string; readonly bytes: number }
): Effect.Effect<Refused> =>
  Effect.promise(async () => {
    const name = basename(place.path)
    const bytes = known === undefined ? "" : `${exactSize(known.bytes)}. `
    switch (refused.reason) {
      case "content":
        return problem(
          place,
          `${name} isn’t text.`,
          `${bytes}It is binary, or its encoding isn’t UTF-8. The editor opens text in UTF-8 only.`,
          elsewhere
        )
      case "kind":
        return (await isFolder(known?.real))
          ? problem(place, `${name} is a folder.`, "The editor opens files.", another)
          : problem(place, `${name} isn’t a file.`, "It is a pipe, a socket or a device, or below a file.", another)
      case "protected":
        return problem(place, `${name} isn’t opened here.`, sentence(refused.why ?? refused.message), elsewhere)
      case "hard-link":
        return problem(
          place,
          `${name} isn’t opened here.`,
          "It has several names (hard links), and another one may be outside of the folder of the thread.",
          elsewhere
        )
      case "outside":
      case "relative":
        return problem(
          place,
          `${name} is outside of the folder of the thread.`,
          sentence(refused.message),
          "Open it in a thread of its folder"
        )
      case "missing":
        return missing(place)
      case "changed":
      case "rule":
      case "system":
        return problem(place, `${name} can’t be read.`, sentence(refused.message), `See to it that you may read it`)
    }
  })

/** What is said of a folder that can't be listed. */
export const unlisted = (place: DocumentPlace, refused: PathRefused): Effect.Effect<Refused> => {
  const name = basename(place.path)
  if (refused.reason === "missing")
    return Effect.succeed(
      problem(place, `${name} doesn’t exist.`, "It was deleted or renamed.", "Look at the folder above")
    )
  if (refused.reason === "kind")
    return Effect.succeed(problem(place, `${name} isn’t a folder.`, sentence(refused.message), another))
  return unreadable(place, refused)
}

export const missing = (place: DocumentPlace): Refused =>
  problem(
    place,
    `${basename(place.path)} doesn’t exist.`,
    `Nothing is at ${place.path}. It was deleted, renamed, or never there.`,
    "Look for it by its name"
  )

/** What is said of a file that can't be written. */
export const unwritable = (place: DocumentPlace, { message, reason, why }: PathRefused): Refused =>
  reason === "content"
    ? unlikeText(place)
    : problem(
        place,
        `${basename(place.path)} was not saved.`,
        reason === "protected" && why !== undefined ? sentence(why) : sentence(message),
        reason === "system" ? "Correct the cause, then save again" : elsewhere
      )

/** Nobody can compare the file on the disk with the text that people saw. */
const unlikeText = (place: DocumentPlace): Refused =>
  problem(
    place,
    `${basename(place.path)} was not saved.`,
    "The file on the disk has changed. It is too long now, or isn’t text. It was not replaced.",
    "Rename or delete that file, then save again"
  )

export const notText = (place: DocumentPlace): Refused =>
  problem(
    place,
    `${basename(place.path)} was not saved.`,
    "The text has half a character, which UTF-8 can’t express.",
    "Remove the character, then save again"
  )

export const tooLong = (place: DocumentPlace, bytes: number): Refused =>
  problem(
    place,
    `${basename(place.path)} was not saved.`,
    `Its text is ${size(bytes)}. The editor saves up to ${size(mostDocumentBytes)}.`,
    "Make it shorter, then save again"
  )

export const heldElsewhere = (place: DocumentPlace): Refused =>
  problem(place, `${basename(place.path)} was not saved.`, "Another page edits it now.", "Take over")

export const notWatched = (place: DocumentPlace): Refused =>
  problem(place, `${basename(place.path)} isn’t open in this page.`, "So it can’t be taken over.", "Open it again")

const isFolder = (path: string | undefined): Promise<boolean> =>
  path === undefined
    ? Promise.resolve(false)
    : lstat(path).then(
        (found) => found.isDirectory(),
        () => false
      )

/** A sentence of these words: with a capital letter unless it begins with a name or a path, and a full stop. */
const sentence = (words: string): string => (/[.!?]$/.test(words) ? words : `${words}.`)
