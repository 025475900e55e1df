// A small grammar: `[a|b|c]` is one of several, nested as deep as one likes, and `$name` a fact. The same roll always
// gives the same text. An empty alternative leaves the part out.
import { mix, unit } from "../world/hash.ts";

export type Facts = Readonly<Record<string, string>>;

export function expand(pattern: string, roll: number, facts: Facts): string {
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
  for (let place = 0; place < pattern.length; ) {
    if (pattern[place] !== "[") {
      made += pattern[place++];
      continue;
    }
    const { alternatives, end } = split(pattern, place);
    made += choose(alternatives[Math.floor(next() * alternatives.length)] as string, next);
    place = end;
  }
  return made;
}

function split(pattern: string, start: number): { alternatives: string[]; end: number } {
  const alternatives: string[] = [];
  let depth = 0;
  let from = start + 1;
  for (let place = start; place < pattern.length; place++) {
    const letter = pattern[place];
    if (letter === "[") depth++;
    else if (letter === "]") depth--;
    if (depth === 0 || (depth === 1 && letter === "|")) {
      alternatives.push(pattern.slice(from, place));
      from = place + 1;
    }
    if (depth === 0) return { alternatives, end: place + 1 };
  }
  throw new SyntaxError(`an open bracket in ${pattern}`);
}

/** One of several patterns, expanded. */
export function oneOf(patterns: readonly string[], roll: number, facts: Facts): string {
  const pattern = patterns[Math.floor(unit(roll, 0, 3) * patterns.length)] as string;
  return expand(pattern, mix(roll, 1, 9), facts);
}
