/** Long texts that were read last, so that opening one again costs nothing. */

export interface KeptTexts {
  readonly get: (key: string) => string | undefined
  readonly put: (key: string, text: string) => void
}

/** `limit`: how many UTF-16 units are kept together. The latest text is kept whatever its length; the oldest go first. */
export const makeKeptTexts = (limit: number): KeptTexts => {
  const texts = new Map<string, string>()
  let units = 0
  const drop = (key: string): void => {
    units -= texts.get(key)?.length ?? 0
    texts.delete(key)
  }
  return {
    get: (key) => texts.get(key),
    put: (key, text) => {
      drop(key)
      texts.set(key, text)
      units += text.length
      for (const oldest of texts.keys()) {
        if (units <= limit || oldest === key) return
        drop(oldest)
      }
    }
  }
}
