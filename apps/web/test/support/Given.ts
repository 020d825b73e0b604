/** Files that are given to the composer, as a browser does it. */
import type { Tab } from "./Tab.ts"

/** A picture of one pixel. */
const pixel = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=="

export interface Given {
  readonly name: string
  readonly type: string
  readonly base64: string
}

export const note: Given = {
  name: "note.txt",
  type: "text/plain",
  base64: Buffer.from("remember the milk").toString("base64")
}
export const shot: Given = { name: "shot.png", type: "image/png", base64: pixel }

/** Files come as they do from a clipboard or a desktop: in an event of the browser. */
export const give = (tab: Tab, how: "paste" | "drop", files: ReadonlyArray<Given>): Promise<void> =>
  tab.composer.evaluate(
    (field, { files, how }) => {
      const data = new DataTransfer()
      for (const { base64, name, type } of files)
        data.items.add(new File([Uint8Array.from(atob(base64), (it) => it.charCodeAt(0))], name, { type }))
      field.dispatchEvent(
        how === "paste"
          ? new ClipboardEvent("paste", { clipboardData: data, bubbles: true, cancelable: true })
          : new DragEvent("drop", { dataTransfer: data, bubbles: true, cancelable: true })
      )
    },
    { how, files }
  )

export const attached = (tab: Tab) => tab.desk.getByRole("list", { name: "Attached" }).getByRole("listitem")
