/** A program of an agent as people see it: a tab among the editor's terminals. It takes no input but Ctrl+C. */
import * as OutputBuffer from "@signalbox/process/OutputBuffer"
import { StringDecoder } from "node:string_decoder"
import * as vscode from "vscode"

export interface Options {
  readonly name: string
  /** The person has pressed Ctrl+C. */
  readonly onInterrupt: () => void
  /** The tab is closed, by the person or by `close`. */
  readonly onClosed: () => void
}

export interface ShownTerminal {
  readonly print: (chunk: Uint8Array) => void
  /** Says how the program ended. The tab stays, for people to read. */
  readonly end: (words: string) => void
  readonly close: () => void
}

/** Bytes that wait for the editor to make the tab. */
const mostWaiting = 256 * 1024

export const make = ({ name, onClosed, onInterrupt }: Options): ShownTerminal => {
  const written = new vscode.EventEmitter<string>()
  const decoder = new StringDecoder("utf8")
  const early = OutputBuffer.make(mostWaiting)
  let isOpen = false
  const write = (text: string): void => written.fire(text.replaceAll(/\r?\n/g, "\r\n"))
  const print = (chunk: Uint8Array): void => {
    if (isOpen) write(decoder.write(chunk))
    else early.push(chunk)
  }
  const pseudoterminal: vscode.Pseudoterminal = {
    onDidWrite: written.event,
    open: () => {
      isOpen = true
      write(early.last(mostWaiting, true).text)
    },
    close: onClosed,
    handleInput: (typed) => {
      if (typed.includes("\u0003")) onInterrupt()
    }
  }
  const tab = vscode.window.createTerminal({ name, pty: pseudoterminal, isTransient: true })
  return {
    print,
    end: (words) => print(Buffer.from(`\n[${words}]\n`)),
    close: () => {
      tab.dispose()
      written.dispose()
    }
  }
}
