/** Light or dark, as the editor has it: it marks the body of the view. */
const show = (): void => {
  const isLight = document.body.matches(".vscode-light, .vscode-high-contrast-light")
  document.documentElement.dataset["theme"] = isLight ? "light" : "dark"
}

/** Follows the theme of the editor for as long as the view is there. */
export const followTheme = (): void => {
  show()
  new MutationObserver(show).observe(document.body, { attributes: true, attributeFilter: ["class"] })
}
