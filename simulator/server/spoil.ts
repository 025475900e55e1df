// Corrupts an answer in the ways that real platforms do: text instead of a number, fields of another type, keys that reach for
// prototypes, lists that are empty, doubled or shuffled. Never modifies the world's own objects.
import type { Random } from "../../kit/random.ts";
import type { Firing } from "./faults.ts";

/** Represents a number that is valid JSON but overflows a double; see `toText`. */
const OVERFLOWING = "__1e999__";
const BAD_NUMBERS = [OVERFLOWING, "NaN", null, true] as const;

export function spoil(answer: unknown, fault: Firing): unknown {
  switch (fault.kind) {
    case "numbers":
      return rebuild(answer, (value) =>
        typeof value === "number" && fault.random.chance(fault.share)
          ? fault.random.pick(BAD_NUMBERS)
          : value,
      );
    case "types":
      return rebuild(answer, (value) => (fault.random.chance(fault.share) ? otherType(value) : value), false);
    case "proto":
      return withHostileKeys(rebuild(answer, (value) => withHostileKeys(value)));
    case "emptyLists":
      return rebuild(answer, (value) => (Array.isArray(value) ? [] : value));
    case "duplicates":
      return withFeedItems(answer, (items) => items.flatMap((item) => [item, item]));
    case "reorder":
      return withFeedItems(answer, (items) => shuffled(items, fault.random));
    default:
      return answer;
  }
}

/** A feed page that pretends there is nothing after the reader's position. */
export function silenced(answer: unknown, after: number): unknown {
  if (!isFeedPage(answer)) return answer;
  return { ...answer, items: [], newest: Math.min(answer.newest, after) };
}

export function toText(answer: unknown): string {
  return JSON.stringify(answer).replaceAll(`"${OVERFLOWING}"`, "1e999");
}

/** Copies a structure, passing each field and element through `change`; `deep` changes children first. */
function rebuild(value: unknown, change: (value: unknown) => unknown, deep = true): unknown {
  const inner = (child: unknown) => {
    if (deep) return change(rebuild(child, change, deep));
    const changed = change(child);
    return changed === child ? rebuild(child, change, deep) : changed;
  };
  if (Array.isArray(value)) return value.map(inner);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, child]) => [name, inner(child)]));
}

function otherType(value: unknown): unknown {
  if (typeof value === "string") return value.length;
  if (typeof value === "number") return { value };
  if (typeof value === "boolean") return "yes";
  if (Array.isArray(value)) return "none";
  return value === null ? [] : 0;
}

function withHostileKeys(value: unknown): unknown {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return value;
  const hostile: Record<string, unknown> = {};
  const put = (name: string, field: unknown) =>
    Object.defineProperty(hostile, name, { value: field, enumerable: true, configurable: true });
  put("__proto__", { polluted: true, handle: "mallory" });
  put("constructor", { prototype: { polluted: true } });
  put("toString", "not a function");
  for (const [name, field] of Object.entries(value)) put(name, field);
  return hostile;
}

interface FeedPage {
  items: unknown[];
  newest: number;
}

function isFeedPage(value: unknown): value is FeedPage {
  return (
    typeof value === "object" &&
    value !== null &&
    "items" in value &&
    Array.isArray(value.items) &&
    "newest" in value &&
    typeof value.newest === "number"
  );
}

function withFeedItems(answer: unknown, change: (items: unknown[]) => unknown[]): unknown {
  return isFeedPage(answer) ? { ...answer, items: change(answer.items) } : answer;
}

function shuffled(items: unknown[], random: Random): unknown[] {
  const left = [...items];
  const mixed: unknown[] = [];
  while (left.length > 0) mixed.push(...left.splice(random.below(left.length), 1));
  return mixed;
}
