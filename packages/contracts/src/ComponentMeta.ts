/** Members of `_meta` by which Signalbox's own components speak to Signalbox. Any other client ignores them. */

type Meta = { readonly [name: string]: unknown } | null | undefined

const onlyPeople = "signalbox/onlyPeople"

/** Marks a permission request that only a person may allow: no rule, no permission profile and no flag. Whoever sends it is believed. */
export const forPeople = { [onlyPeople]: true }

/** Whether a permission request may be allowed by people only. */
export const isForPeople = (meta: Meta): boolean => meta?.[onlyPeople] === true
