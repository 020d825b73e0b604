/** Scripts of sed and awk: which only change and print lines, and which may run programs or open other files. */
import { assert, describe, it } from "@effect/vitest"
import * as ShellLine from "../src/shell/ShellLine.ts"

/** `¶` is a new line. */
const lines = (text: string): ReadonlyArray<string> => text.split("\n").map((line) => line.replaceAll("¶", "\n"))

const plain = lines(String.raw`sed -n '1,80p' a
sed -n 40,60p a
sed -n '$p' a
sed -n '/x/,/y/p' a
sed -n '/x/I,+3p' a
sed -n -e '1p' -e '3p' a
sed -ne 1p a
sed -En '/^[a-z]+ \/x/p' a
sed 's/a/b/g' a
sed 's/a/b/;s|c|d|2gI' a
sed 's#a#b#' a
sed -i 's/a/b/' a
sed -i.bak 's/a/b/' a
sed -i '' -e 's/a/b/' a
sed --in-place=.x 's/a/b/' a
sed --expression='s/a/b/' a
sed '1!d;/x/{p;d}' a
sed '1~2d' a
sed 'y/abc/xyz/' a
sed '# a comment¶p' a
sed -n '5q;p' a
sed '$!N;P;D' a
sed -- p a
sed '/e/d' e
awk '{print $1}' a
awk -F: '{print $1 ":" $2}' a
awk -F , -v x=1 '$3 == x || $4 >= 2 {print NR}' a
awk 'NR % 2' a
awk '/x/ && !/y/ {n++} END {print n}' a`)

const running = lines(String.raw`sed 's/[^/]x/y/' a
sed -n '1e id' a
sed 'e' a
sed 's/a/b/e' a
sed 's/a/b/w c' a
sed 's/a/b/gw c' a
sed -n 'w c' a
sed -n '/x/w c' a
sed -n '/x/,/y/w c' a
sed -n '1,3{p;w c¶}' a
sed -n '1p;r c' a
sed -n '1p;R c' a
sed -n '1p;W c' a
sed -n '1p;e id' a
sed 's/[/]/x/;e id#/p' a
sed 's/a[/e id¶/p' a
sed 's/a[/]/b/e' a
sed 's/a/b\/e;p/e' a
sed 's/a/b¶e id¶/' a
sed 's/a\¶e id¶/b/' a
sed 'sxaxbxe' a
sed 's a b e' a
sed --expression='e id' a
sed --expression 'e id' a
sed --expr='e id' a
sed -e p -e 'e id' a
sed -ne 'e id' a
sed '-eeid' a
sed a -e 'e id'
sed -f x a
sed --file=x a
sed -nf x a
sed --unknown p a
sed -l 5 'e id' a
sed -i '' 'e id' a
sed -i 'e id' a
sed -- 'e id' a
/usr/bin/sed 'e id' a
gsed 'e id' a
SED 'e id' a
sed '\,a,e id' a
sed 'y/a/b/;e' a
sed '/a/,/b/e id' a
sed '$!e id' a
sed '0~3e id' a
sed 'bx;e id;:x' a
sed 'a\¶e id' a
sed 'pe id' a
sed 'v;e id' a
sed '/a[/]/e id' a
awk 'BEGIN{system("id")}'
awk '{print > "x"}' a
awk '{print >> "x"}' a
awk '{print | "sh"}' a
awk '{"id" | getline x}' a
awk 'BEGIN{while((getline x < "/etc/passwd")) print x}'
awk 'BEGIN{ARGV[1]="/etc/passwd"}' a
awk 'BEGIN{for(x in ENVIRON) print ENVIRON[x]}'
awk 'BEGIN{f="system"; @f("id")}'
awk '@load "x"'
awk 'BEGIN{sys\¶tem("id")}'
awk -f x a
awk -fx a
awk -i inplace '{print}' a
awk -l x '{print}'
awk -E x
awk --exec x
awk -F: -f x a
awk -F : 'BEGIN{system("id")}'
awk -v x=1 -- 'BEGIN{system("id")}'
awk '|||' a
gawk 'BEGIN{system("id")}'
/usr/bin/awk 'BEGIN{system("id")}'`)

describe("A script", () => {
  it.each(plain)("only changes and prints lines in %s", (line) => {
    assert.deepStrictEqual(ShellLine.read(line).obstacles, [])
  })

  it.each(running)("may run programs or open other files in %s", (line) => {
    const { obstacles } = ShellLine.read(line)
    assert.deepStrictEqual(
      obstacles.map(({ why }) => why),
      ["has a script that may run programs, or open other files"]
    )
  })
})
