// Symbols and names of launched tokens. A symbol is new to the world, except where a launch copies a ticker on purpose.
import { chosen, mix, unit } from "./hash.ts";
import { ANIMALS, TAILS, THINGS, TRAITS } from "./token-words.ts";

const SYMBOL_LENGTH = 10;

export function tokenName(key: number, index: number, taken: Set<string>): { symbol: string; name: string } {
  for (let attempt = 0; ; attempt++) {
    const roll = mix(key, index, attempt);
    const name = composeName(roll);
    const symbol = symbolOf(name, roll, attempt);
    if (symbol.length < 2 || taken.has(symbol)) continue;
    taken.add(symbol);
    return {
      symbol,
      name: unit(roll, 9) < 0.12 ? name.toLowerCase() : unit(roll, 9) < 0.17 ? `$${symbol}` : name,
    };
  }
}

function composeName(roll: number): string {
  const subject = unit(roll, 1) < 0.5 ? chosen(ANIMALS, roll, 2) : chosen(THINGS, roll, 2);
  const other = unit(roll, 3) < 0.5 ? chosen(ANIMALS, roll, 4) : chosen(THINGS, roll, 4);
  const form = unit(roll, 5);
  if (form < 0.2) return title(subject);
  if (form < 0.5) return title(`${chosen(TRAITS, roll, 6)} ${subject}`);
  if (form < 0.65) return title(`${subject} ${chosen(TAILS, roll, 6)}`);
  if (form < 0.78 && subject !== other) return title(subject + other);
  if (form < 0.88) return title(`${subject} the ${other}`);
  return title(`${chosen(TRAITS, roll, 6)} ${subject} ${other}`);
}

function symbolOf(name: string, roll: number, attempt: number): string {
  const words = name
    .toUpperCase()
    .replace(/[^A-Z0-9 ]/g, "")
    .split(" ")
    .filter(Boolean);
  const joined = words.join("");
  if (attempt > 6) return `${joined.slice(0, SYMBOL_LENGTH - 2)}${(roll % 90) + 10}`;
  const form = unit(roll, 7);
  if (words.length >= 3 && form < 0.5)
    return words.map((word) => word.charAt(0)).join("") + (words[2] ?? "").slice(1, 2);
  if (joined.length <= 7) return joined;
  if (form < 0.4) return fitting(words.at(-1) ?? joined);
  if (form < 0.55) return fitting(words[0] ?? joined);
  return fitting(joined);
}

/** Whole if short enough, otherwise without its vowels, as people write tickers. */
function fitting(word: string): string {
  return word.length <= SYMBOL_LENGTH ? word : word.replace(/(?<!^)[AEIOU]/g, "").slice(0, 8);
}

function title(text: string): string {
  return text
    .replace(/(^|\s)[a-z]/g, (letter) => letter.toUpperCase())
    .replace(/\b(Ai|Dao|Cto)\b/g, (word) => word.toUpperCase());
}
