/** Gives VS Code the suggestions that it draws itself, as grey text at the caret. */
import * as vscode from "vscode"
import type { Desk } from "./Desk.ts"
import type { ShownOffers } from "./Shown.ts"

/** `deskOf`: who suggests in a document. */
export const make = (
  deskOf: (document: vscode.TextDocument) => Pick<Desk, "ask" | "whenSettled"> | undefined,
  shown: ShownOffers
): vscode.InlineCompletionItemProvider => ({
  provideInlineCompletionItems: async (document, position, { triggerKind }, token) => {
    const desk = deskOf(document)
    if (desk === undefined) return []
    // A person has pressed a key for it, if it is not this extension that wants its answer drawn.
    if (triggerKind === vscode.InlineCompletionTriggerKind.Invoke && shown.now()?.editor.document !== document)
      desk.ask()
    await settled(desk, token)
    if (token.isCancellationRequested) return []
    const change = shown.ghostIn(document)?.changes[0]
    if (change === undefined) return []
    const from = document.positionAt(change.from)
    if (from.isBefore(position)) return []
    // VS Code wants a place that begins at the caret.
    const kept = document.getText(new vscode.Range(position, from))
    return [
      new vscode.InlineCompletionItem(kept + change.insert, new vscode.Range(position, document.positionAt(change.to)))
    ]
  }
})

/** Waits until no question is open, or VS Code does not want the answer any more. Leaves nothing behind. */
const settled = async ({ whenSettled }: Pick<Desk, "whenSettled">, token: vscode.CancellationToken): Promise<void> => {
  if (token.isCancellationRequested) return
  const leave: Array<() => void> = []
  await new Promise<void>((resolve) => {
    const listener = token.onCancellationRequested(() => resolve())
    leave.push(whenSettled(resolve), () => listener.dispose())
  })
  for (const one of leave) one()
}
