/** A program of Dialect after it was read: one expression. Each part knows its offset in the text. */

export interface Call {
  readonly type: "call"
  readonly name: string
  readonly args: ReadonlyArray<Expression>
  readonly at: number
}

export interface ObjectExpression {
  readonly type: "object"
  /** In their order. A later member replaces an earlier one of the same key. */
  readonly members: ReadonlyArray<readonly [key: string, value: Expression]>
  readonly at: number
}

export interface ArrayExpression {
  readonly type: "array"
  readonly items: ReadonlyArray<Expression>
  readonly at: number
}

export interface Atom {
  readonly type: "atom"
  readonly value: string | number | boolean | null | undefined
  readonly at: number
}

export type Expression = Call | ObjectExpression | ArrayExpression | Atom

/** What an expression comes to: JSON, or undefined. */
export type Value =
  | string
  | number
  | boolean
  | null
  | undefined
  | ReadonlyArray<Value>
  | { readonly [key: string]: Value }
