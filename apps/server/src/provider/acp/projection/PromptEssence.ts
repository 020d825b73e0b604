/** What counts of a prompt that is told again. */

/** Agents trim prompts and break them up; what counts is what was said. */
export const essence = (text: string): string => text.replace(/\s+/g, "")
