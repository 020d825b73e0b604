/** Which months of Cursor's CLI to behave like; each differs on the wire from the one before. */
export type Generation = "2026.02" | "2026.08" | "2026.10"

export const generations: ReadonlyArray<Generation> = ["2026.02", "2026.08", "2026.10"]

/** A build of each generation that was seen in public. */
export const defaultVersion: Readonly<Record<Generation, string>> = {
  "2026.02": "2026.02.27-e7d2ef6",
  "2026.08": "2026.08.11-e8db854",
  "2026.10": "2026.10.01-e373342"
}

export const parseGeneration = (text: string): Generation | undefined =>
  generations.find((generation) => generation === text)
