// One word for one idea, in plain English: the code, its comments and the public pages are checked against the list here. A
// failure names each place.
import { expect, test } from "bun:test";
import { isForTests, readSources, type Source } from "./support/sources.ts";

/** Generated, or contains the banned words because it is this list. */
const EXEMPT = /(^|\/)generated[a-z-]*\.|^docs\/api\.md$|^test\/words\.test\.ts$/;

const read = async (pattern: string) => (await readSources(pattern)).filter(({ path }) => !EXEMPT.test(path));
const code = await read("**/*.{ts,tsx}");
const pages = await read("**/*.{md,py,css}");
const product = code.filter(({ path }) => !isForTests(path));

const places = (sources: readonly Source[], pattern: RegExp): string[] =>
  sources.flatMap(({ path, text }) =>
    text
      .split("\n")
      .flatMap((line, index) =>
        Array.from(line.matchAll(pattern), ([found]) => `${path}:${index + 1}: ${found}`),
      ),
  );

function rule(name: string, find: () => string[]): void {
  test(name, () => expect(find()).toEqual([]));
}

rule("no archaic or roundabout words", () =>
  places(
    // Invented traders' texts are exempt.
    [...code, ...pages].filter(({ path }) => !path.startsWith("simulator/words/")),
    // "Told apart" is common usage, and Python has its own None.
    /\b(?:[Tt]old(?! apart\b)|[Aa]new|[Bb]esides?|(?:is|are) none|[Ww]hom|[Mm]end(?:ed|s)?|thrice|hitherto|whence|thereof|henceforth|betimes|heed|[Hh]ears? of|in vain|gone by|of late|[Hh]owever often|ever more|[Ww]hoever|at the most|lately)\b|[a-z]Told\b|\btold[A-Z]/g,
  ),
);

rule("an error is an error", () => places(code, /\b[pP]roblem(?:s|Of)?\b/g));
rule("a database is a database", () =>
  places(code, /\b(?:const|let|var) db\b|\bdb\.\w+\(|[({,] ?db ?[,})]|\bdb: \w*Database\b/g),
);
rule("no literal is spread only to steer the formatter", () => [
  ...places(code, /\.\.\.\{ ?[\w$]/g),
  ...code.flatMap(({ path, text }) => spreadLists(path, text)),
]);

/** Lists that are spread as they are. One that is mapped first is no such list, nor are a function's parameters. */
function spreadLists(path: string, text: string): string[] {
  return Array.from(text.matchAll(/(?<![\w.])\.\.\.\[/g), ({ index }) => index).flatMap((from) => {
    let to = from + 3;
    let depth = 0;
    do {
      if (text[to] === "[") depth++;
      else if (text[to] === "]") depth--;
      to++;
    } while (depth > 0 && to < text.length);
    return /^\s*[,\])]/.test(text.slice(to)) ? [`${path}:${text.slice(0, from).split("\n").length}`] : [];
  });
}

rule("a bound is X_MAX or xMax, the unit before it", () =>
  places(
    code,
    // `inFlightAtMost` is a field of the wire.
    /\b(?:most|longest|largest|highest)[A-Z]\w*|\b(?!inFlightAtMost\b)\w*AtMost\b|\b\w*_(?:AT_MOST|AT_ONCE|LONGEST|LARGEST)(?:_[A-Z]+)?\b|\b\w+_MAX_(?:MS|SECONDS|BYTES|USD)\b|\b\w+Max(?:Ms|Seconds|Bytes|Usd)\b|\b(?:MAX_(?!SAFE_INTEGER|VALUE)|LONGEST_|MOST_|LARGEST_|HIGHEST_)\w+/g,
  ),
);

rule("a day and an hour are defined in the kit", () =>
  places(
    code.filter(({ path }) => path !== "kit/units.ts"),
    /\b(?:86_?400_?000|3_?600_?000)\b|\b24 \* 60 \* 60\b|\b60 \* 60 \* 1_?000\b/g,
  ),
);

rule("a type name means one thing", () => duplicateTypes(product));

/** Top-level types in shipped code whose names are declared more than once. */
function duplicateTypes(sources: readonly Source[]): string[] {
  const where = new Map<string, string[]>();
  for (const { path, text } of sources)
    for (const [, name = ""] of text.matchAll(/^(?:export )?(?:interface|type|class) ([A-Z]\w*)/gm))
      where.set(name, [...(where.get(name) ?? []), path]);
  return [...where]
    .filter(([, paths]) => paths.length > 1)
    .map(([name, paths]) => `${name}: ${paths.join(" ")}`);
}

rule("clock, log, metrics and random are declared once, in the kit", () =>
  product
    .filter(({ path }) => !path.startsWith("kit/"))
    .flatMap(({ path, text }) =>
      Array.from(text.matchAll(/^(?:export )?interface (\w+)[^{]* \{\n(.*?)\n\}/gms))
        .filter(([, , body = ""]) => (body.match(KIT_FIELD) ?? []).length > 1)
        .map(([, name]) => `${path}: ${name}`),
    ),
);
const KIT_FIELD = /^ {2}(?:clock: Clock|log: Log|metrics: Metrics|random: Random);$/gm;

rule("work that goes on until it is stopped is a loop of the kit", () => handWrittenLoops(product));

/**
 * Blocks that only a stop ends and that sleep in between; a block ends at a brace with the same indentation as its first line.
 * Code that ends by itself is no such loop: a call with a few retries, a wait for a condition, a list with pauses. The SDK is
 * published without the kit.
 */
function handWrittenLoops(sources: readonly Source[]): string[] {
  const depth = (line: string) => line.length - line.trimStart().length;
  const endless = /^\s*(?:while \((?:true|![\w.]+)\)|for \(;;\)|for \([^;]*; ![\w.]+;[^;]*\)) \{$/;
  return sources
    .filter(({ path }) => !/^(?:kit|client\/src)\//.test(path))
    .flatMap(({ path, text }) => {
      const lines = text.split("\n");
      return lines.flatMap((line, from) => {
        if (!endless.test(line)) return [];
        const to = lines.findIndex((later, at) => at > from && depth(later) <= depth(line));
        const sleeps = lines.slice(from, to).some((inner) => /\b(?:sleep|rest|wait\w*)\(/.test(inner));
        return sleeps ? [`${path}:${from + 1}`] : [];
      });
    });
}
