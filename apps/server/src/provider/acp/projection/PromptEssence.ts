/** The part of a prompt that identifies it when an agent repeats it. */

/** The text without white space, since agents trim prompts and break their lines. */
export const essence = (text: string): string => text.replace(/\s+/g, "")
