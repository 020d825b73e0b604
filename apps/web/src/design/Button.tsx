import type { ComponentProps } from "react"
import styles from "./Button.module.css"
import { Icon, type IconName } from "./Icon.tsx"

/**
 * `solid`: at most one per card. `bare`: without border. `tall`: for answers. `inert` keeps the button in place and in the order of focus.
 * It says that it does nothing now, and drops clicks.
 */
export const Button = ({
  bare,
  className,
  icon,
  inert,
  onClick,
  children,
  solid,
  tall,
  ...rest
}: Omit<ComponentProps<"button">, "disabled" | "inert" | "className"> & {
  readonly className?: string | undefined
  readonly solid?: boolean
  readonly bare?: boolean
  readonly tall?: boolean
  readonly inert?: boolean
  readonly icon?: IconName
}) => (
  <button
    type="button"
    {...rest}
    className={[styles["button"], solid && styles["solid"], bare && styles["bare"], tall && styles["tall"], className]
      .filter(Boolean)
      .join(" ")}
    aria-disabled={inert ? true : undefined}
    onClick={inert ? (event) => event.preventDefault() : onClick}
  >
    {icon && <Icon name={icon} />}
    {children}
  </button>
)

/** An icon whose word is its label; `hint` is what the tooltip says beyond it. */
export const IconButton = ({
  className,
  hint,
  icon,
  inert,
  label,
  onClick,
  ...rest
}: Omit<ComponentProps<"button">, "children" | "title" | "inert"> & {
  readonly icon: IconName
  readonly label: string
  readonly hint?: string
  readonly inert?: boolean
}) => (
  <button
    type="button"
    aria-label={label}
    title={hint === undefined ? label : `${label}  ${hint}`}
    {...rest}
    aria-disabled={inert ? true : undefined}
    onClick={inert ? (event) => event.preventDefault() : onClick}
    className={className === undefined ? styles["iconOnly"] : `${styles["iconOnly"]} ${className}`}
  >
    <Icon name={icon} />
  </button>
)
