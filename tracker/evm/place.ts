// A reader's place: the last block it read, and enough earlier ones to find, after any re-org down to the final block, what
// it had read of the losing fork. All of it is in the cursor, so a restart knows as much as the process did.

/** A block that was read. */
export interface Mark {
  height: number;
  hash: string;
  /** A digest of its watched contents; null when it held nothing. */
  content: string | null;
}

export interface Place {
  /** Ascending; the first is the final block that reading started from or was last confirmed at, the last is the newest. */
  marks: readonly Mark[];
}

/** Marks without content: all of the newest are kept, and one in this many older ones, to keep search and place small. */
const DENSE_MAX = 32;
const SPARSE_STEP = 32;

export const newestOf = (place: Place): Mark => markAt(place, -1);
export const finalOf = (place: Place): Mark => markAt(place, 0);

function markAt({ marks }: Place, index: number): Mark {
  const mark = marks.at(index);
  if (!mark) throw new Error("a place without a block");
  return mark;
}

/** Adds newer blocks. */
export function extended({ marks }: Place, newer: readonly Mark[]): Place {
  return thinned({ marks: [...marks, ...newer] });
}

/** Replaces the mark of a block that was already read. */
export function withContent({ marks }: Place, changed: Mark): Place {
  const others = marks.filter(({ height }) => height !== changed.height);
  const at = others.findIndex(({ height }) => height > changed.height);
  return { marks: at < 0 ? [...others, changed] : [...others.slice(0, at), changed, ...others.slice(at)] };
}

/** Drops everything above a height. */
export const cutAbove = ({ marks }: Place, height: number): Place => ({
  marks: marks.filter((mark) => mark.height <= height),
});

/** Everything up to this block is final. */
export function finalizedAt({ marks }: Place, final: Mark): Place {
  return { marks: [final, ...marks.filter(({ height }) => height > final.height)] };
}

/** The blocks with content above a height, newest first. */
export const contentAbove = ({ marks }: Place, height: number): Mark[] =>
  marks.filter((mark) => mark.height > height && mark.content !== null).reverse();

function thinned({ marks }: Place): Place {
  const dense = marks.length - DENSE_MAX;
  return {
    marks: marks.filter(
      ({ height, content }, index) =>
        index === 0 || index >= dense || content !== null || height % SPARSE_STEP === 0,
    ),
  };
}

const VERSION = 1;

export const encodePlace = ({ marks }: Place): string =>
  JSON.stringify({
    version: VERSION,
    marks: marks.map(({ height, hash, content }) => [height, hash, content]),
  });

/** Throws on a cursor that this program did not write: guessing would lose or repeat trades. */
export function decodePlace(text: string): Place {
  const { version, marks } = JSON.parse(text) as { version?: unknown; marks?: unknown };
  if (version !== VERSION || !Array.isArray(marks) || marks.length === 0)
    throw new Error("the chain reader's cursor is not one of this version");
  return {
    marks: marks.map(([height, hash, content]: [number, string, string | null]) => ({
      height,
      hash,
      content,
    })),
  };
}
