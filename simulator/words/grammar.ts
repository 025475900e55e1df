// A small grammar: `[a|b|c]` is one of several, nested as deep as one likes, and `$name` a fact. The same roll always
// gives the same text. An empty alternative leaves the part out.
import { mix, unit } from "../world/hash.ts";

export type GrammarFacts = Readonly<Record<string, string>>;

export function expand(pattern: string, roll: number, facts: GrammarFacts): string {
  let step = 0;
  const next = () => unit(roll, ++step, 7);
  const text = choose(pattern, next).replace(/\$([a-zA-Z]+)/g, (whole, name: string) => facts[name] ?? whole);
  return text
    .replace(/ {2,}/g, " ")
    .replace(/ ([.,;:!?])/g, "$1")
    .trim();
}

/** Replaces the outermost brackets by one of their alternatives, from the left, until none is left. */
function choose(pattern: string, next: () => number): string {
  let made = "";
  // Plain stretches are taken whole: text joined letter by letter is fifty times its size until it is read.
  for (let place = 0; place < pattern.length; ) {
    const open = pattern.indexOf("[", place);
    if (open === -1) return made + pattern.slice(place);
    const bars = barsOf(pattern, open);
    const chosen = Math.floor(next() * (bars.length - 1));
    const alternative = pattern.slice((bars[chosen] as number) + 1, bars[chosen + 1]);
    made += pattern.slice(place, open) + choose(alternative, next);
    place = (bars.at(-1) as number) + 1;
  }
  return made;
}

/** Where the bracket opens, where its alternatives part, and where it closes. */
function barsOf(pattern: string, open: number): number[] {
  const bars = [open];
  let depth = 1;
  for (let place = open + 1; place < pattern.length; place++) {
    const letter = pattern[place];
    if (letter === "[") depth++;
    else if (letter === "]") depth--;
    if (depth === 0 || (depth === 1 && letter === "|")) bars.push(place);
    if (depth === 0) return bars;
  }
  throw new SyntaxError(`an open bracket in ${pattern}`);
}

/** One of several patterns, expanded. */
export function oneOf(patterns: readonly string[], roll: number, facts: GrammarFacts): string {
  const pattern = patterns[Math.floor(unit(roll, 0, 3) * patterns.length)] as string;
  return expand(pattern, mix(roll, 1, 9), facts);
}
