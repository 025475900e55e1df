// Stored JSON carries its format version. A body of another version, or a corrupt one, raises a dedicated error and is
// never returned as a value.

/** A stored body that this program can't read: written by a newer one, or corrupt. */
export class UnreadableBody extends Error {
  override readonly name = "UnreadableBody";
  constructor(
    readonly noun: string,
    readonly reason: "newer" | "corrupt",
    options?: ErrorOptions,
  ) {
    super(
      reason === "newer"
        ? `A stored ${noun} was written by a newer version of this program.`
        : `A stored ${noun} is corrupt.`,
      options,
    );
  }
}

export interface Codec<T> {
  encode(value: T): string;
  decode(body: string): T;
}

/** Shared by all nouns. A change of a stored format increments it, in a migration that rewrites the stored rows. */
const VERSION = 1;
const OPENING = `{"v":${VERSION},`;

/**
 * `always` names the fields that every body has: one without them is corrupt. `added` gives the defaults of fields added
 * later, for bodies written before.
 */
export function codec<T extends object>(
  noun: string,
  always: readonly (keyof T & string)[],
  added: Partial<T> = {},
): Codec<T> {
  const later = Object.entries(added);
  return {
    // Not prepended to the serialized text: that would copy it again, and bodies are most of what capture writes.
    encode: (value) => JSON.stringify({ v: VERSION, ...value }),
    decode(text) {
      if (!text.startsWith(OPENING))
        throw new UnreadableBody(noun, /^\{"v":\d/.test(text) ? "newer" : "corrupt");
      let body: unknown;
      try {
        body = JSON.parse(`{${text.slice(OPENING.length)}`);
      } catch (cause) {
        throw new UnreadableBody(noun, "corrupt", { cause });
      }
      if (!isRecord(body) || !always.every((name) => name in body)) throw new UnreadableBody(noun, "corrupt");
      for (const [name, value] of later) if (!(name in body)) body[name] = value;
      return body as T;
    },
  };
}

function isRecord(body: unknown): body is Record<string, unknown> {
  return typeof body === "object" && body !== null;
}
