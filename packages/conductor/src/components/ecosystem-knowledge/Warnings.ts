/** Says what is wrong with texts of others to the people who run the chain. A project with many mistakes does not drown other words. */

const mostWarnings = 20
const mostCharacters = 500

// oxlint-disable-next-line no-control-regex
const controls = /[\u0000-\u001f\u007f-\u009f\u2028\u2029]+/g

/** Gives a function that says each sentence once, and the first ones only. */
export const make = (log: (line: string) => void): ((sentence: string) => void) => {
  const said = new Set<string>()
  return (sentence) => {
    if (said.size > mostWarnings || said.has(sentence)) return
    said.add(sentence)
    log(
      said.size > mostWarnings
        ? "Further warnings about dependencies are left out."
        : sentence.replace(controls, " ").slice(0, mostCharacters)
    )
  }
}
