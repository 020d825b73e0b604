/** Names of packages of npm. */

/** Whether a text can be the name of a package: then it is safe as a part of a path and of an argument. */
export const isPackageName = (name: string): boolean =>
  name.length <= 214 && /^(?:@[a-z0-9~][a-z0-9._~-]*\/)?[a-z0-9~][a-z0-9._~-]*$/i.test(name)
