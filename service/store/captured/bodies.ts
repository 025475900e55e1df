// What is stored as JSON carries the version of its shape, and is decoded by it: an older body is brought up to date as it
// is read, one of a version that this program does not know is an error of its own kind, and none is taken on trust.

/** A stored body that this program can't read: written by a newer one, or damaged. */
export class UnreadableBody extends Error {
  override readonly name = "UnreadableBody";
  constructor(
    readonly noun: string,
    readonly reason: "newer" | "damaged",
    options?: ErrorOptions,
  ) {
    super(
      reason === "newer"
        ? `A stored ${noun} was written by a newer version of this program.`
        : `A stored ${noun} is damaged.`,
      options,
    );
  }
}

export interface Codec<T> {
  encode(value: T): string;
  decode(body: string): T;
}

type Body = Record<string, unknown>;

export interface Shape<T> {
  noun: string;
  /** What every body has, whatever its version: without it, it isn't one. */
  always: readonly (keyof T & string)[];
  /**
   * From each version to the next. Bodies from before there were versions are version 0; the version that is written is the
   * length of this list, so that a change of the model is one more step and never a surprise.
   */
  steps: readonly ((body: Body) => Body)[];
}

/** The first step of every noun: what was stored before there were versions is what version 1 holds. */
export const unversioned = (body: Body): Body => body;

const VERSION = /^\{"v":(\d{1,6}),/;

export function codec<T extends object>({ noun, always, steps }: Shape<T>): Codec<T> {
  const version = steps.length;
  const opening = `{"v":${version},`;
  const read = (text: string): Body => {
    try {
      const body: unknown = JSON.parse(text);
      if (typeof body === "object" && body !== null && always.every((name) => name in body))
        return body as Body;
    } catch (cause) {
      throw new UnreadableBody(noun, "damaged", { cause });
    }
    throw new UnreadableBody(noun, "damaged");
  };
  const upgrade = (text: string): Body => {
    const stored = VERSION.exec(text);
    const from = stored ? Number(stored[1]) : 0;
    if (from > version) throw new UnreadableBody(noun, "newer");
    const body = read(stored ? `{${text.slice(stored[0].length)}` : text);
    return steps.slice(from).reduce((older, step) => step(older), body);
  };
  return {
    // Not put before the text of the value: joined text is copied once more, and bodies are most of what capture writes.
    encode: (value) => JSON.stringify({ v: version, ...value }),
    decode: (text) =>
      (text.startsWith(opening) ? read(`{${text.slice(opening.length)}`) : upgrade(text)) as T,
  };
}
