/** Proposals of the editor for what may be typed, in the shapes of the Language Server Protocol. Pure. */

type Text = string | { readonly value: string }

/** A proposal of the editor. */
export interface Proposal {
  readonly label: string | { readonly label: string }
  readonly kind?: number
  readonly detail?: string
  readonly documentation?: Text
  readonly sortText?: string
  readonly insertText?: Text
}

/** Most proposals that are returned. */
const most = 500

/** The last kind that the protocol has, too. The editor counts from 0. */
const lastKind = 24

const textOf = (text: Text | undefined): string | undefined => (typeof text === "object" ? text.value : text)

const itemOf = ({ detail, documentation, insertText, kind, label, sortText }: Proposal) => {
  const [words, inserted] = [textOf(documentation), textOf(insertText)]
  return {
    label: typeof label === "string" ? label : label.label,
    ...(kind !== undefined && kind <= lastKind && { kind: kind + 1 }),
    ...(detail && { detail }),
    ...(words && { documentation: words }),
    ...(sortText !== undefined && { sortText }),
    ...(inserted !== undefined && { insertText: inserted })
  }
}

export const completionOf = ({
  isIncomplete,
  items
}: {
  readonly isIncomplete?: boolean
  readonly items: ReadonlyArray<Proposal>
}) => ({
  isIncomplete: isIncomplete === true || items.length > most,
  items: items.slice(0, most).map(itemOf)
})
