/** Names of personas. Each is the name of a folder, too. */

/** The persona that is there without being made. */
export const standard = "default"

export const rule =
  "A name has lower-case letters, digits and hyphens, begins with a letter, and has 40 characters at most."

export const isOne = (text: string): boolean => /^[a-z][a-z0-9-]{0,39}$/.test(text)
