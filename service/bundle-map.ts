// Makes a bundle's source maps light. The runtime loads the whole map once a garbage collection meets an error that is
// still referenced, and keeps it: exact to the column it takes 7 MB for good. Exact to the line is enough to find a fault.

export interface SourceMap {
  version: number;
  sources: string[];
  /** The runtime wants one for each source; for null it reads the file itself. */
  sourcesContent: (string | null)[];
  mappings: string;
}

/** The same map without the sources' text, and with a new position only where another source or line begins. */
export function lineMap({ version, sources, mappings }: SourceMap): SourceMap {
  return { version, sources, sourcesContent: sources.map(() => null), mappings: lineMappings(mappings) };
}

function lineMappings(mappings: string): string {
  // Each number of a segment is a difference: the first to the segment before on its line, the others to the one before.
  let [source, line, column] = [0, 0, 0];
  let written = { source, line, column };
  const lineOf = (segments: string) => {
    let [at, writtenAt] = [0, 0];
    const kept: string[] = [];
    for (const segment of segments.split(",")) {
      const [along = 0, sources, lines = 0, columns = 0] = numbersOf(segment);
      at += along;
      // Code that comes from no source.
      if (sources === undefined) continue;
      source += sources;
      line += lines;
      column += columns;
      if (kept.length > 0 && source === written.source && line === written.line) continue;
      const differences = [source - written.source, line - written.line, column - written.column];
      kept.push([at - writtenAt, ...differences].map(textOf).join(""));
      writtenAt = at;
      written = { source, line, column };
    }
    return kept.join(",");
  };
  return mappings.split(";").map(lineOf).join(";");
}

// Base 64 of five bits a digit, the lowest first: the sixth bit says that another digit follows, the very lowest is the sign.
const DIGITS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

function numbersOf(segment: string): number[] {
  const numbers: number[] = [];
  let [value, shift] = [0, 0];
  for (const digit of segment) {
    const bits = DIGITS.indexOf(digit);
    value |= (bits & 31) << shift;
    shift += 5;
    if (bits & 32) continue;
    numbers.push(value & 1 ? -(value >>> 1) : value >>> 1);
    [value, shift] = [0, 0];
  }
  return numbers;
}

function textOf(number: number): string {
  let text = "";
  let rest = number < 0 ? (-number << 1) | 1 : number << 1;
  do {
    text += DIGITS[(rest & 31) | (rest > 31 ? 32 : 0)];
    rest >>>= 5;
  } while (rest > 0);
  return text;
}
