/** Names of Go modules. */

/** Whether a text can be the path of a module that is published: then it is safe as an argument. */
export const isModuleName = (name: string): boolean =>
  name.length <= 250 && /^[a-z0-9][a-z0-9-]*(?:\.[a-z0-9-]+)+(?:\/[\w~+-][\w.~+-]*)*$/i.test(name)
