// A list in parts of a bounded length, for statements and requests that take a limited number of values.

export function* chunksOf<T>(values: readonly T[], lengthMax: number): Generator<readonly T[]> {
  for (let start = 0; start < values.length; start += lengthMax) yield values.slice(start, start + lengthMax);
}
