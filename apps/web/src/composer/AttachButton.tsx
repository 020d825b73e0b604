import { useRef } from "react"
import { IconButton } from "../design/Button.tsx"

/** Files by choice; they can be pasted and dropped as well. */
export const AttachButton = ({ add }: { readonly add: (files: ReadonlyArray<File>) => void }) => {
  const input = useRef<HTMLInputElement>(null)
  return (
    <>
      <input
        ref={input}
        type="file"
        multiple
        hidden
        onChange={(event) => {
          add([...(event.target.files ?? [])])
          // The same file may be chosen again.
          event.target.value = ""
        }}
      />
      <IconButton
        icon="plus"
        label="Attach files"
        needs="operate"
        hint="or paste, or drop them here"
        onClick={() => input.current?.click()}
      />
    </>
  )
}
