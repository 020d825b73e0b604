/** Whether a variable of the environment is meant for the editor's own processes, e.g. `ELECTRON_RUN_AS_NODE`. */
export const isOfEditor = (name: string): boolean => /^(?:ELECTRON|VSCODE)_/.test(name)
