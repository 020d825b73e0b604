/** Foreign text where VS Code draws links and icons: in notifications, their buttons and the status bar. Pure. */
import { inText, revealAll } from "@signalbox/contracts/Invisible"

/** What VS Code takes for the middle of a link: `[label](address)`. It would show the label alone, and an address may be a command. */
const linked = "]("

/** Whether the text would be shown with a part left out. */
export const hidesItself = (text: string): boolean => text.includes(linked)

/** The text as it is, in which nothing is invisible and nothing becomes a link. */
export const plain = (text: string): string => inText(revealAll(text)).replaceAll(linked, "] (")

/** Makes it plain where VS Code draws an icon for `$(name)`, too: in the status bar, and in what it says of a language. */
export const iconless = (text: string): string => plain(text).replaceAll("$(", "$ (")
