// `shell-lines.mjs WHAT`: what it costs to read a line for a shell. `typical`: 300 lines as agents write them, in
// microseconds a line. `long` has 100 kB; `deep` and `wide` are as long and as nested as a line may be. Prints one line of JSON.
import * as Limits from "../../packages/permission/src/shell/Limits.ts"
import * as ShellLine from "../../packages/permission/src/shell/ShellLine.ts"
import { report } from "../measure.mjs"

const what = process.argv[2] ?? "typical"

/** Each becomes five lines, for five names. */
const lines = String.raw`ls -la NAME
cat NAME/package.json
cd NAME && npm test
cd NAME && npm run build 2>&1 | tail -20
npm test -- NAME
npx vitest run NAME/test/index.test.ts
npx tsc --noEmit -p NAME
git status --short NAME
git diff HEAD~1 -- NAME
git log --oneline -5 -- NAME
git add NAME && git commit -m "NAME: keep the order of answers"
git show HEAD:NAME/README.md | head -40
git checkout -b fix/NAME
rg -n "function \w+\(" NAME --type ts
grep -rn "TODO" NAME --include="*.ts" | head -20
grep -c '' NAME/src/*.ts
find NAME -name '*.test.ts' -not -path '*/node_modules/*' | sort
find NAME -type f | wc -l
sed -n '1,80p' NAME/src/index.ts
sed -i 's/one/other/g' NAME/src/index.ts
head -n 50 NAME/CHANGELOG.md; tail -n 50 NAME/CHANGELOG.md
wc -l NAME/src/*.ts | sort -n | tail -5
mkdir -p NAME/src/new && touch NAME/src/new/index.ts
rm -rf NAME/dist NAME/.cache
cp -r NAME/src /tmp/NAME-src
mv NAME/a.ts NAME/b.ts
echo "export const name = 'NAME'" > NAME/src/name.ts
printf '%s\n' one two three >> NAME/list.txt
node -e 'console.log(require("./NAME/package.json").version)'
node --test NAME/test/
python3 -m pytest NAME -q 2>&1 | tail -5
cargo test -p NAME --quiet
go test ./NAME/... -run TestOne
make -C NAME -j4
docker compose -f NAME/compose.yml ps
curl -s http://127.0.0.1:3000/NAME | jq '.items[] | .id'
jq -r '.scripts | keys[]' NAME/package.json
which node && node --version
command -v NAME || echo "NAME is not here"
test -f NAME/tsconfig.json && echo yes || echo no
[ -d NAME/dist ] && ls NAME/dist
if [ -f NAME/yarn.lock ]; then yarn --cwd NAME install; else npm --prefix NAME ci; fi
for f in NAME/src/*.ts; do echo "$f"; head -3 "$f"; done
while read -r line; do echo "$line"; done < NAME/list.txt
CI=1 NODE_ENV=test npm test --workspace NAME
export NAME_URL=http://localhost:8080; npm start
diff <(git show HEAD:NAME/a.ts) NAME/a.ts
(cd NAME && npx eslint . --max-warnings 0)
ps aux | grep NAME | grep -v grep
kill %1; wait
tar czf /tmp/NAME.tgz NAME/src NAME/test
ls NAME/{src,test}/*.ts
cat NAME/log.txt | awk '{print $1}' | sort | uniq -c | sort -rn | head
timeout 60 npm test -- NAME
bash -lc "cd NAME && npm test"
env FOO=1 npm run NAME
xargs -n1 echo < NAME/list.txt
git commit -m "$(cat <<'EOF'¶NAME: say what was refused¶¶The message names the rule.¶EOF¶)"
cat > NAME/new.ts <<'EOF'¶export const one = 1¶export const two = 2¶EOF
set -euo pipefail¶cd NAME¶npm ci¶npm test`
  .split("\n")
  .flatMap((line) =>
    ["web", "server", "packages/core", "docs", "api"].map((name) => line.replaceAll("NAME", name).replaceAll("¶", "\n"))
  )

const fill = (piece, length) => piece.repeat(Math.ceil(length / piece.length)).slice(0, length)
const texts = {
  typical: lines,
  long: [fill("echo one; ", 100_000)],
  deep: [fill("a $(", Limits.mostNested * 4) + fill("b 'c' ", 7_800) + ")".repeat(Limits.mostNested)],
  wide: [fill("a;", Limits.mostCharacters)]
}[what]

const best = (work) => {
  let least = Infinity
  for (let batch = 0; batch < 5; batch += 1) {
    const rounds = Math.max(1, Math.round(3000 / texts.length / (what === "typical" ? 1 : 100)))
    const began = performance.now()
    for (let round = 0; round < rounds; round += 1) for (const text of texts) work(text)
    least = Math.min(least, (performance.now() - began) / rounds / texts.length)
  }
  return least * 1000
}

const readUs = best((text) => ShellLine.read(text))
const open = texts.filter((text) => ShellLine.read(text).obstacles.length === 0).length
report({ lines: texts.length, withoutObstacle: open, readUs })
