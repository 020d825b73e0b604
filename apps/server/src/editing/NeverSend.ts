/** The names of files that are never sent to an agent for suggestions: what usually holds keys or passwords. */
import { folded } from "../workspace/ProtectedPaths.ts"

const words = (text: string): ReadonlyArray<string> => text.trim().split(/\s+/)

/** The list that is always in force. `*` stands for any characters of one name, and `folder/name` for a name in a folder. */
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

/** Whether some names in a row fit all names of a pattern. A folder that fits holds nothing to send. */
const isIn = (names: ReadonlyArray<string>, pattern: ReadonlyArray<string>): boolean =>
  pattern.length > 0 &&
  names.some(
    (_, at) =>
      at + pattern.length <= names.length && pattern.every((one, index) => isLike(names[at + index] ?? "", one))
  )

/** Compares a name with a pattern: back to the last star where they differ, and so never in more than one way at once. */
const isLike = (name: string, pattern: string): boolean => {
  let [at, inPattern, star, afterStar] = [0, 0, -1, 0]
  while (at < name.length) {
    if (pattern[inPattern] === "*") {
      star = inPattern++
      afterStar = at
    } else if (inPattern < pattern.length && pattern[inPattern] === name[at]) {
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
