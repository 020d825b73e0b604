/** The names of files that are never sent to an agent for suggestions: what usually holds keys or passwords. */
import { folded } from "@signalbox/permission/ProtectedNames"

const words = (text: string): ReadonlyArray<string> => text.trim().split(/\s+/)

/**
 * The list that is always in force. `*` stands for any characters of one name, and `?` for one. `folder/name` is a name in a
 * folder, and `**` stands for any number of folders.
 */
const defaults: ReadonlyArray<string> = words(`
  .env* *.env
  *.pem *.key *.p12 *.pfx *.p8 *.jks *.keystore *.kdbx *.ppk *.asc *.gpg *.age
  id_rsa* id_dsa* id_ecdsa* id_ed25519* ssh_host_*
  .npmrc .yarnrc.yml .pypirc .netrc _netrc .pgpass .my.cnf .htpasswd .git-credentials .authinfo .vault-token .s3cfg .boto
  .ssh .gnupg .aws .azure .kube .password-store .docker/config.json .config/gh .config/gcloud .cargo/credentials*
  .gem/credentials .bundle/config
  credentials credentials.* *credentials.json secret secrets secret.* secrets.* *.secret *.secrets
  *service-account*.json *service_account*.json
  *.tfstate *.tfstate.* *.tfvars *.tfvars.json terraform.rc .terraformrc
  wp-config.php master.key *.ovpn *.rdp
`)

/** The pattern that a path is on the list by. `path`: relative to the folder of the workspace, with `/`. */
export const patternOf = (path: string, added: ReadonlyArray<string> = []): string | undefined => {
  const names = path.split("/").filter(isName).map(folded)
  return [...defaults, ...added].find((pattern) => isIn(names, pattern.split("/").filter(isName).map(folded)))
}

const isName = (part: string): boolean => part !== "" && part !== "."

/** Whether names of a path fit all names of a pattern. A folder that fits holds nothing to send. */
const isIn = (names: ReadonlyArray<string>, pattern: ReadonlyArray<string>): boolean => {
  if (pattern.length === 0) return false
  let at = 0
  for (const row of rowsOf(pattern)) {
    const found = placeOf(row, names, at)
    if (found === undefined) return false
    at = found + row.length
  }
  return true
}

/** The names of a pattern between its `**`. */
const rowsOf = (pattern: ReadonlyArray<string>): ReadonlyArray<ReadonlyArray<string>> => {
  const rows: Array<Array<string>> = [[]]
  for (const name of pattern) {
    if (name === "**") rows.push([])
    else rows.at(-1)?.push(name)
  }
  return rows
}

/** The first place, from one on, where some names in a row fit. */
const placeOf = (row: ReadonlyArray<string>, names: ReadonlyArray<string>, from: number): number | undefined => {
  for (let at = from; at + row.length <= names.length; at++) {
    if (row.every((one, index) => isLike(names[at + index] ?? "", one))) return at
  }
  return undefined
}

/** Compares a name with a pattern: back to the last star where they differ, and so never in more than one way at once. */
const isLike = (name: string, pattern: string): boolean => {
  let [at, inPattern, star, afterStar] = [0, 0, -1, 0]
  while (at < name.length) {
    if (pattern[inPattern] === "*") {
      star = inPattern++
      afterStar = at
    } else if (pattern[inPattern] === "?" || pattern[inPattern] === name[at]) {
      at++
      inPattern++
    } else if (star >= 0) {
      inPattern = star + 1
      at = ++afterStar
    } else return false
  }
  while (pattern[inPattern] === "*") inPattern++
  return inPattern === pattern.length
}
