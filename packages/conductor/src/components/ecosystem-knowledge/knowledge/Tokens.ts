/**
 * How many tokens a text takes at most. A vocabulary of byte pairs has each byte, so no text takes more tokens than bytes. Usual words count as one,
 * and of two letters that a vocabulary joins, no two stand alone.
 */
import { rarePairs, usualWords } from "./UsualWords.ts"

/** Words, the space or apostrophe before them, and everything else character by character. */
const parts = /[ ']?[\p{L}\p{M}]+|./gsu

const small = /^[a-z]+$/

/** The most tokens that small letters can take: none of them is alone beside another one that it is joined with. */
const mostOfWord = (word: string): number => {
  // The most tokens up to a letter, by whether that letter is alone.
  let alone = 0
  let joined = 0
  let before = { alone: 0, joined: 0 }
  for (let at = 0; at < word.length; at++) {
    const pair = word.slice(at - 1, at + 1)
    const isFree = at === 0 || rarePairs.has(pair)
    const next = {
      alone: Math.max(joined, isFree ? alone : 0) + 1,
      // A longer token takes no more.
      joined: at === 0 ? 0 : Math.max(before.alone, before.joined) + 1
    }
    before = { alone, joined }
    alone = next.alone
    joined = next.joined
  }
  return Math.max(alone, joined)
}

const mostOfLetters = (word: string): number => (small.test(word) ? mostOfWord(word) : Buffer.byteLength(word))

const mostOf = (part: string): number => {
  const word = part.startsWith(" ") ? part.slice(1) : part
  if (usualWords.has(word)) return 1
  // Behind an apostrophe, the first letters of a word can be a token of their own.
  if (word.startsWith("'")) return 1 + mostOfLetters(word.slice(1))
  return part.length - word.length + mostOfLetters(word)
}

export const atMost = (text: string): number => {
  let tokens = 0
  for (const [part] of text.matchAll(parts)) tokens += mostOf(part)
  return tokens
}
